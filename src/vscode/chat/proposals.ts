import { openChanges, openDiff } from '../guarded/diff.ts';
import * as vscode from '#vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import { filesOnBranch } from '#chat/branch-files.ts';
import { type ProposalFiles, ProposalReview, landing } from '#chat/proposal-review.ts';
import { type ProposedFile, proposedFiles } from '#chat/proposed-files.ts';
import { type ChatTurn, type TurnBranch, finalAnswer } from '#chat/thread.ts';
import { chooseFile } from './choose-file.ts';
import type { ChatDeps } from './deps.ts';
import type { Decide, ProposalHost } from './host.ts';
import { editorFiles } from './proposal-files.ts';

const SCHEME = 'modelbench-proposal';
const TELL_AFTER_MS = 200;

type ProposalDeps = Pick<ChatDeps, 'context' | 'modelFolder' | 'branchSide' | 'runCommand'>;

/**
 * Model files that the agent proposes: shown as changes first, written only when accepted, and only while a dev branch takes
 * them. Files are edited and saved like by hand, so that they reach the dev branch, and only it, the usual way, and undo works.
 */
export class Proposals implements Disposable, ProposalHost, vscode.TextDocumentContentProvider {
  readonly #deps: ProposalDeps;
  readonly #store = new DisposableStore();
  readonly #texts = new Map<string, string>();
  /** What is done when a shown proposal is decided on in its editor, by its URI. */
  readonly #decisions = new Map<string, (action: 'accept' | 'reject') => Promise<void>>();
  readonly #reviews = new Map<string, ProposalReview>();
  readonly #proposed = new Set<string>();
  readonly #changed = this.#store.add(new Emitter<void>());
  #count = 0;
  #telling: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: ProposalDeps) {
    this.#deps = deps;
    const onFile = ({ uri }: { readonly uri: vscode.Uri }): void => {
      if (this.#proposed.has(uri.toString())) this.#tellSoon();
    };
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(SCHEME, this));
    this.#store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => onFile(document)));
    this.#store.add(vscode.workspace.onDidSaveTextDocument(onFile));
    this.#store.add(vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach((uri) => onFile({ uri }))));
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme !== SCHEME) return;
        this.#texts.delete(uri.toString());
        this.#decisions.delete(uri.toString());
      }),
    );
  }

  readonly onDidChangeFiles: Event<void> = this.#changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  reviewOf(threadKey: string, turn: ChatTurn): ProposalReview {
    const folder = this.#folder();
    const key = JSON.stringify([threadKey, turn.id, folder?.uri.toString()]);
    const known = this.#reviews.get(key);
    if (known) return known;
    const files = folder ? proposedFiles(finalAnswer(turn)) : [];
    const port = folder ? filesOnBranch(editorFiles(folder.uri), this.#deps.branchSide) : noFiles;
    const review = new ProposalReview(port, files, folder?.modelPath ?? '');
    this.#reviews.set(key, review);
    for (const { path } of files) if (folder) this.#proposed.add(vscode.Uri.joinPath(folder.uri, path).toString());
    return review;
  }

  async mayAccept(branch: TurnBranch | undefined): Promise<boolean> {
    const { context, modelFolder, runCommand } = this.#deps;
    if (!modelFolder()) {
      const words = 'Link a folder of this window to the deployment first: accepted files go to its dev branch.';
      const chosen = await vscode.window.showInformationMessage(words, 'Link Folder…');
      if (chosen) await runCommand('modelbench.linkFolder');
      return false;
    }
    const place = landing(branch, context.value.kind === 'ready' ? context.value.branch : undefined);
    switch (place.kind) {
      case 'ok':
        return true;
      case 'noDevBranch': {
        const words = 'Accepted files go to a dev branch, and none is active.';
        const chosen = await vscode.window.showInformationMessage(words, 'Start Dev Mode…');
        if (chosen) await runCommand('modelbench.devMode.start');
        return false;
      }
      default: {
        const accept = text`Accept on ${place.to}`;
        const words = `This answer is about ${place.from}; the active branch is ${place.to}.`;
        return (await vscode.window.showWarningMessage(textOf(words), { modal: true }, accept)) === accept;
      }
    }
  }

  async show(files: readonly ProposedFile[], decide: Decide): Promise<void> {
    const folder = this.#folder();
    if (!folder || files.length === 0) return;
    const changes = await Promise.all(
      files.map(async ({ path, text }) => {
        const target = vscode.Uri.joinPath(folder.uri, path);
        const after = this.#keep(target, text);
        this.#decisions.set(after.toString(), (action) => decide(action, path));
        return { target, before: await this.#before(target), after };
      }),
    );
    const [first] = changes;
    if (first && changes.length === 1) await showDiff(first.target, first.before, first.after);
    else {
      const list = changes.map(({ target, before, after }) => [target, before, after] as const);
      await openChanges(text`Agent’s Proposal`, list);
    }
  }

  /** A block without a path: the person names the file that it should become. */
  async propose(text: string): Promise<void> {
    const target = await chooseFile(this.#folder()?.uri);
    if (!target) return;
    const name = vscode.workspace.asRelativePath(target);
    const whole = text.endsWith('\n') ? text : `${text}\n`;
    const after = this.#keep(target, whole);
    const apply = async (): Promise<void> => {
      if (!(await this.mayAccept(undefined))) return;
      const { files, path } = placeOf(target);
      await files.write([{ path, text: whole }]);
      await vscode.window.showTextDocument(target);
    };
    this.#decisions.set(after.toString(), (action) => (action === 'accept' ? apply() : Promise.resolve()));
    await showDiff(target, await this.#before(target), after);
    const question = `Apply the agent's proposal to ${name}?`;
    const answer = await vscode.window.showInformationMessage(textOf(question), 'Apply', 'Discard');
    if (answer === 'Apply') await apply();
    if (answer !== undefined) await closeDiff(after);
  }

  /** Decides on a proposal where it is shown; without one on that of the active editor. */
  async decide(action: 'accept' | 'reject', proposal: unknown): Promise<void> {
    const uri = proposal instanceof vscode.Uri ? proposal : activeProposal();
    const decision = uri && this.#decisions.get(uri.toString());
    if (!uri || !decision) {
      void vscode.window.showInformationMessage('Open the proposed change that you want to decide on.');
      return;
    }
    await decision(action);
    await closeDiff(uri);
  }

  dispose(): void {
    clearTimeout(this.#telling);
    this.#store.dispose();
  }

  /** The linked folder; without one the window's first, to look at. */
  #folder(): ReturnType<ChatDeps['modelFolder']> {
    const [first] = vscode.workspace.workspaceFolders ?? [];
    return this.#deps.modelFolder() ?? (first && { uri: first.uri, modelPath: '' });
  }

  /** Not at each key: every view looks at its files again. */
  #tellSoon(): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#changed.fire();
    }, TELL_AFTER_MS);
  }

  #keep(target: vscode.Uri, text: string): vscode.Uri {
    this.#count += 1;
    const proposal = vscode.Uri.from({ scheme: SCHEME, path: target.path, query: String(this.#count) });
    this.#texts.set(proposal.toString(), text);
    return proposal;
  }

  async #before(target: vscode.Uri): Promise<vscode.Uri> {
    const { files, path } = placeOf(target);
    const now = await files.read(path);
    return now ? target : vscode.Uri.from({ scheme: SCHEME, path: '/nothing' });
  }
}

const noFiles: ProposalFiles = { read: () => Promise.resolve(undefined), write: () => Promise.resolve() };

/** A file as seen from its workspace folder, so that links on the way to it are noticed. */
function placeOf(file: vscode.Uri): { readonly files: ProposalFiles; readonly path: string } {
  const root = vscode.workspace.getWorkspaceFolder(file)?.uri;
  if (!root) return { files: editorFiles(vscode.Uri.joinPath(file, '..')), path: baseName(file.path) };
  return { files: editorFiles(root), path: file.path.slice(root.path.replace(/\/$/, '').length + 1) };
}

function activeProposal(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
  return uri?.scheme === SCHEME ? uri : undefined;
}

async function showDiff(target: vscode.Uri, before: vscode.Uri, after: vscode.Uri): Promise<void> {
  const title = text`${vscode.workspace.asRelativePath(target)} ↔ Agent's proposal`;
  await openDiff(before, after, title, { preview: false });
}

async function closeDiff(proposal: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const own = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === proposal.toString(),
  );
  if (own.length > 0) await vscode.window.tabGroups.close(own);
}
