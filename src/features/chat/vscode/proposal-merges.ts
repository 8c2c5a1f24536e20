import * as v from 'valibot';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { parsedJson } from '#base/json.ts';
import { mergeLines } from '#base/merge-lines.ts';
import { text } from '#base/user-text.ts';
import type { ChatFiles } from '#chat-core/ports.ts';
import type { FileConflict } from '#chat-core/proposal-ports.ts';
import { isMerging, openCurrent, openMergeEditor, replaceText, wasLastMerge } from '#shell/vscode/merge-editor.ts';
import type { ProposalDocuments } from './proposal-documents.ts';

const BEGUN = 'proposal-merges.json';
const Begun = v.array(v.object({ file: v.string(), mine: v.string(), start: v.string() }));
type BegunMerge = v.InferOutput<typeof Begun>[number];

/**
 * Merges of a proposal with the user's changes, in VS Code's merge editor. Lines that both changed start from the base, so the
 * user's text is stored on disk until the merge is over: an abandoned merge, or one that a reload interrupts, is undone.
 */
export class ProposalMerges {
  readonly #documents: ProposalDocuments;
  readonly #files: ChatFiles;

  constructor(documents: ProposalDocuments, files: ChatFiles) {
    this.#documents = documents;
    this.#files = files;
  }

  /** Merges a file; resolves, once its editor is closed, to whether the merge was finished and saved. */
  async merge(file: vscode.Uri, { base, mine, theirs, title }: FileConflict): Promise<boolean> {
    const document = await openCurrent(file);
    const start = mergeLines(base, mine, theirs).text;
    const begun: BegunMerge = { file: file.toString(), mine, start };
    await this.#change((list) => [...list.filter((other) => other.file !== begun.file), begun]);
    await replaceText(document, start);
    const side = (content: string): vscode.Uri => this.#documents.add(file, content);
    const isOpened = await openMergeEditor(file, {
      base: side(base),
      theirs: { uri: side(theirs), title, description: 'agent' },
      mine: { uri: side(mine), title: 'Local', description: 'this folder' },
    });
    if (isOpened) await closed(file);
    else void vscode.window.showWarningMessage(text`This editor cannot merge: make the change in the file by hand.`);
    return this.#end(begun);
  }

  /** Ends the merges that an earlier window left unfinished. */
  async recover(): Promise<void> {
    for (const begun of await this.#begun()) if (!isMerging(vscode.Uri.parse(begun.file, true))) await this.#end(begun);
  }

  /** Ends a merge; one without a choice is undone. Resolves to whether it was finished and saved. */
  async #end(begun: BegunMerge): Promise<boolean> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(begun.file, true));
    const now = document.getText().replaceAll(/\r\n?/g, '\n');
    const isFinished = !document.isDirty && now !== begun.start && now !== begun.mine;
    if (now === begun.start) await replaceText(document, begun.mine);
    await this.#change((list) => list.filter(({ file }) => file !== begun.file));
    return isFinished;
  }

  async #begun(): Promise<readonly BegunMerge[]> {
    const read = v.safeParse(Begun, parsedJson(await this.#files.read(BEGUN)));
    return read.success ? read.output : [];
  }

  async #change(change: (list: readonly BegunMerge[]) => readonly BegunMerge[]): Promise<void> {
    await this.#files.replace(BEGUN, JSON.stringify(change(await this.#begun())));
  }
}

function closed(file: vscode.Uri): Promise<void> {
  return new Promise((resolve) => {
    const listener = vscode.window.tabGroups.onDidChangeTabs(({ closed: tabs }) => {
      if (!wasLastMerge(tabs, file)) return;
      listener.dispose();
      resolve();
    });
  });
}
