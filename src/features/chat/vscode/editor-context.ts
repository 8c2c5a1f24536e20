import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { plural } from '#base/words.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { buildErrors } from '#features/chat/asked-about.ts';
import type { Attachment } from '#chat-core/attachments.ts';
import { changedText } from '#chat-core/changed-text.ts';
import type { ContextOffer, OfferedContext } from '#features/chat/host.ts';
import type { ContextKind } from '#features/chat/messages.ts';
import { documentAttachment, problemsAttachment, selectedAttachment, pathOf } from './attached.ts';
import type { ChatBranchDeps, ChatWindowDeps } from './deps.ts';

interface EditorContextDeps extends Pick<ChatWindowDeps, 'isModelFile' | 'settings' | 'onDidChangeSettings'> {
  readonly around: ChatBranchDeps;
}

type Offered = Omit<ContextOffer, 'isOn'>;

/** The items that the user has open: the model file or query of the active editor, its problems, and the state of the branch. */
export class EditorContext implements OfferedContext, Disposable {
  readonly #deps: EditorContextDeps;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  /** Stays the same while the chat itself has the focus. */
  #editor = vscode.window.activeTextEditor;

  constructor(deps: EditorContextDeps) {
    this.#deps = deps;
    const changed = (): void => this.#changed.fire();
    this.#store.add(
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        this.#editor = editor ?? this.#stillVisible();
        changed();
      }),
    );
    this.#store.add(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === this.#editor) changed();
      }),
    );
    this.#store.add(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const shown = this.#editor?.document.uri.toString();
        if (uris.some((uri) => uri.toString() === shown)) changed();
      }),
    );
    this.#store.add(deps.around.onDidChangeBranches(changed));
    this.#store.add(deps.onDidChangeSettings(changed));
  }

  readonly onDidChange = this.#changed.event;

  offers(): readonly ContextOffer[] {
    const on = new Set(this.#deps.settings().context);
    const all = [...this.#ofEditor(), ...this.#ofBranch()];
    return all.map((offer) => ({ ...offer, isOn: on.has(offer.kind) }));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #stillVisible(): vscode.TextEditor | undefined {
    const { visibleTextEditors } = vscode.window;
    return this.#editor && visibleTextEditors.includes(this.#editor) ? this.#editor : visibleTextEditors[0];
  }

  #ofEditor(): readonly Offered[] {
    const editor = this.#editor;
    if (!editor) return [];
    const { document, selection } = editor;
    const isQuery = document.languageId === 'sql' || /\.query\.ya?ml$/.test(document.uri.path);
    // Other files are only sent when the user names them.
    if (!isQuery && !this.#deps.isModelFile(document.uri)) return [];
    const path = pathOf(document.uri);
    const problems = vscode.languages.getDiagnostics(document.uri);
    const file = offer([isQuery ? 'query' : 'file', path], path, `The whole of ${path}`, () =>
      documentAttachment(document),
    );
    const lines = `${selection.start.line + 1}–${selection.end.line + 1}`;
    return [
      file,
      ...(selection.isEmpty
        ? []
        : [
            offer(['selection', `${path}:${lines}`], `Lines ${lines}`, `The selected text of ${path}`, () =>
              selectedAttachment(editor),
            ),
          ]),
      ...(problems.length === 0
        ? []
        : [
            offer(
              ['problems', `problems:${path}`],
              plural(problems.length, 'problem'),
              `Positions and messages in ${path}`,
              () => problemsAttachment(document.uri, vscode.languages.getDiagnostics(document.uri)),
            ),
          ]),
    ];
  }

  #ofBranch(): readonly Offered[] {
    const { around } = this.#deps;
    const paths = around.changedPaths();
    const failed = around.failedBuild();
    const errors = failed && buildErrors(failed.branchName, failed.errors);
    return [
      ...(paths.length === 0
        ? []
        : [
            {
              kind: 'changes' as const,
              id: 'changes',
              label: plural(paths.length, 'changed file'),
              detail: 'What a commit of the dev branch would change, line by line',
              read: async () => ({
                id: 'changes',
                label: 'Changes of the branch',
                detail: 'branch',
                text: changedText(await around.changedTexts()),
              }),
            },
          ]),
      ...(errors
        ? [
            // Same id as for *Ask the Agent* on the build, so that its errors are attached once.
            offer(['build', errors.label], 'Failed build', `The errors of the last build of ${errors.detail}`, () => ({
              ...errors,
              id: errors.label,
            })),
          ]
        : []),
    ];
  }
}

function offer(
  [kind, id]: readonly [ContextKind, string],
  label: string,
  detail: string,
  read: () => Attachment,
): Offered {
  return { kind, id, label, detail, read: async () => Promise.resolve(read()) };
}
