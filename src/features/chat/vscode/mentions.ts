import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { bestMentions, type Mention } from '#features/chat/mentions.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import { fileAttachment, problemLine, symbolAttachment, wholeName } from './attached.ts';
import type { ChatBranchDeps, ChatWindowDeps } from './deps.ts';

interface MentionDeps extends Pick<ChatWindowDeps, 'isModelFile'> {
  readonly around: ChatBranchDeps;
}

const FILES = '**/*.{yml,yaml,js,ts,sql,jinja,py,md,json,csv}';
const MOST_FILES = 5_000;
const MOST_OFFERED = 30;

/** The items that a question can mention: files, names of the model, problems, branches and saved queries of this window. */
export class Mentions implements Disposable {
  readonly #deps: MentionDeps;
  readonly #store = new DisposableStore();
  /** Listing a large folder is slow, so the list is cached until a file is created or deleted. */
  #files: Promise<readonly vscode.Uri[]> | undefined;

  constructor(deps: MentionDeps) {
    this.#deps = deps;
    const watcher = this.#store.add(vscode.workspace.createFileSystemWatcher(FILES, false, true, false));
    const forget = (): void => {
      this.#files = undefined;
    };
    this.#store.add(watcher.onDidCreate(forget));
    this.#store.add(watcher.onDidDelete(forget));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(forget));
  }

  /** Resolves to the best matches, best first. */
  async find(query: string): Promise<readonly Mention[]> {
    const [files, names] = await Promise.all([this.#fileMentions(), this.#nameMentions(query)]);
    return bestMentions([...names, ...files, ...this.#problems(), ...this.#branches()], query, MOST_OFFERED);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #fileMentions(): Promise<readonly Mention[]> {
    this.#files ??= Promise.resolve(vscode.workspace.findFiles(FILES, '**/node_modules/**', MOST_FILES));
    return (await this.#files).map((uri) => {
      const label = vscode.workspace.asRelativePath(uri);
      const isQuery = /\.query\.ya?ml$/.test(label);
      return {
        id: `file:${uri.toString()}`,
        kind: isQuery ? 'query' : 'file',
        label,
        detail: isQuery ? 'Saved query' : 'File',
        read: async () => fileAttachment(uri),
      };
    });
  }

  async #nameMentions(query: string): Promise<readonly Mention[]> {
    const symbols = (await executeBuiltIn('vscode.executeWorkspaceSymbolProvider', query)) ?? [];
    // VS Code asks the providers of every language: symbols outside data models are dropped.
    const ours = symbols.filter(({ location }) => this.#deps.isModelFile(location.uri));
    return ours.map((symbol) => {
      const label = wholeName(symbol);
      return {
        id: `name:${label}`,
        kind: kindOf(symbol),
        label,
        detail: vscode.workspace.asRelativePath(symbol.location.uri),
        read: async () => symbolAttachment(symbol),
      };
    });
  }

  #problems(): readonly Mention[] {
    const ofModel = vscode.languages.getDiagnostics().filter(([uri]) => this.#deps.isModelFile(uri));
    return ofModel.flatMap(([uri, problems]) =>
      problems.map((problem): Mention => {
        const label = `${vscode.workspace.asRelativePath(uri)}:${problem.range.start.line + 1}`;
        const id = `problem:${label}:${problem.message}`;
        const text = problemLine(uri, problem);
        return {
          id,
          kind: 'problem',
          label,
          detail: problem.message,
          read: async () => Promise.resolve({ id, label: `Problem at ${label}`, detail: label, text }),
        };
      }),
    );
  }

  #branches(): readonly Mention[] {
    return this.#deps.around.branches().map(({ name, about }) => {
      const id = `branch:${name}`;
      return {
        id,
        kind: 'branch',
        label: name,
        detail: 'Branch',
        read: async () => Promise.resolve({ id, label: name, detail: 'branch', text: about }),
      };
    });
  }
}

/** Maps the kinds that the language server gives cubes and views. */
function kindOf({ kind }: vscode.SymbolInformation): Mention['kind'] {
  if (kind === vscode.SymbolKind.Class) return 'cube';
  return kind === vscode.SymbolKind.Interface ? 'view' : 'member';
}
