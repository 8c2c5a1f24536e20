import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { LineChange } from '#base/merge-lines.ts';
import { type UserText, text, textOf } from '#base/user-text.ts';
import type { ProposalFiles } from '#chat-core/proposal-ports.ts';
import type { ProposalReview, ProposedChange } from '#chat-core/proposal-review.ts';
import type { Decide, ProposalEditors } from '#features/chat/host.ts';
import type { ReviewSource } from '#features/review/index.ts';
import type { ChatModelDeps, ChatStoreDeps } from './deps.ts';
import type { ProposalDocuments } from './proposal-documents.ts';

interface ViewsDeps extends Pick<ChatStoreDeps, 'report'> {
  readonly documents: ProposalDocuments;
  /** Returns the folder of the files of a review; without one, of the code that an answer has for no file. */
  readonly folder: (review?: ProposalReview) => ReturnType<ChatModelDeps['modelFolder']>;
  readonly files: (review?: ProposalReview) => ProposalFiles | undefined;
  readonly openPage: ChatModelDeps['proposals']['open'];
}

/** Shows proposed files as changes, drafts, pages and merges in the editors of the window. */
export class ProposalViews implements ProposalEditors {
  readonly #deps: ViewsDeps;

  constructor(deps: ViewsDeps) {
    this.#deps = deps;
  }

  async show(review: ProposalReview, changes: readonly ProposedChange[], decide: Decide): Promise<void> {
    const folder = this.#deps.folder(review);
    if (!folder || changes.length === 0) return;
    await this.#deps.documents.show(
      changes.map(({ path, before, after }) => {
        const target = vscode.Uri.joinPath(folder.uri, path);
        const shown = this.#deps.documents.add(target, after, (action) => decide(action, path));
        return { target, isNew: before === undefined, after: shown };
      }),
    );
  }

  async pickHunks({ path, hunks }: ProposedChange): Promise<readonly LineChange[] | undefined> {
    const rows = hunks.map((hunk) => ({ ...hunkItem(hunk), picked: true, hunk }));
    const picked = await vscode.window.showQuickPick(rows, {
      title: text`Accept Changes to ${path}`,
      placeHolder: text`Untick the changes that you do not want`,
      canPickMany: true,
      ignoreFocusOut: true,
    });
    return picked?.map(({ hunk }) => hunk);
  }

  async openDraft(review: ProposalReview | undefined, path: string, content: string): Promise<void> {
    const language = path.endsWith('.js') ? 'javascript' : 'yaml';
    const document = await vscode.workspace.openTextDocument({ language, content });
    const folder = this.#deps.folder(review);
    const target = folder && vscode.Uri.joinPath(folder.uri, path);
    if (
      target &&
      (await this.#deps
        .files(review)
        ?.read(path)
        .catch(() => undefined))
    )
      await vscode.window.showTextDocument(target, { preview: false });
    await vscode.window.showTextDocument(document, { preview: false, viewColumn: vscode.ViewColumn.Beside });
  }

  async openPage(page: ReviewSource): Promise<void> {
    await this.#deps.openPage(page);
  }

  mergeInEditor(work: () => Promise<void>): void {
    work().catch((error: unknown) => void this.#deps.report('chat', error));
  }
}

function hunkItem({ start, end, lines }: LineChange): { label: UserText; description: UserText; detail: UserText } {
  const first = lines.find((line) => line.trim() !== '') ?? '';
  return {
    label: text`Line ${start + 1}`,
    description: text`+${lines.length} −${end - start}`,
    detail: lines.length === 0 ? text`Removes lines` : textOf(first.trim()),
  };
}
