import {
  type CancellationToken,
  type CompletionList,
  CompletionItemKind,
  type CompletionParams,
  type Connection,
} from 'vscode-languageserver';
import type { EditedDocument } from '#language-server/documents/edited-document.ts';
import { agentCompletion } from '#model/agents/agent-completion.ts';
import { agentPath, parseAgentFile } from '#model/agents/agent-file.ts';
import { agentNames, agentProblems, type KnownViews } from '#model/agents/check-agent-files.ts';
import type { OpenDocuments } from '#language-server/documents/documents.ts';
import { configured, type DiagnosticOptions } from '#language-server/ide/diagnostics.ts';
import { placedInYaml } from '#language-server/ide/completion/placed-in-yaml.ts';
import { normalizeUri } from '#language-server/documents/uris.ts';
import type { Workspace } from './workspace.ts';

interface Needs {
  readonly connection: Pick<Connection, 'sendDiagnostics'>;
  readonly documents: OpenDocuments;
  readonly workspace: Workspace;
  readonly options: () => DiagnosticOptions;
}

/**
 * Checks and completes files of `agents/` beside a model while they are open (docs/agents.md). Files that are not open are not read,
 * so names that they define are neither offered nor missed; `modelbench check` reads them all.
 */
export class AgentFiles {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
    const { documents, connection } = needs;
    documents.onDidOpen((document) => this.#check(document));
    documents.onDidChange(({ document }) => this.#check(document));
    documents.onDidClose((uri) => {
      if (this.#pathOf(uri) !== undefined) void connection.sendDiagnostics({ uri, diagnostics: [] });
    });
  }

  /** Completes files of `agents/`, and leaves all others to `rest`. */
  orElse<T>(rest: (params: CompletionParams, token: CancellationToken) => T) {
    return (params: CompletionParams, token: CancellationToken): CompletionList | T =>
      this.#completion(normalizeUri(params.textDocument.uri), params.position) ?? rest(params, token);
  }

  /** Returns the completions at a position; `undefined` if the document is not a YAML file of `agents/`. */
  #completion(
    uri: string,
    position: { readonly line: number; readonly character: number },
  ): CompletionList | undefined {
    const document = this.#needs.documents.get(uri);
    if (!document || this.#pathOf(uri)?.endsWith('ml') !== true) return undefined;
    const files = this.#openBeside(uri).map(([path, text]) => parseAgentFile(path, text));
    const offset = document.offsetAt(position);
    const known = { names: agentNames(files), views: this.#viewsOf(uri) };
    const text = document.getText();
    const { wordStart, items } = agentCompletion(text, offset, known);
    const place = { text, positions: document, wordStart, offset };
    return {
      isIncomplete: false,
      items: items.map(({ label, kind, doc, insert }, at) =>
        placedInYaml(
          {
            label,
            kind: kind === 'key' ? CompletionItemKind.Property : CompletionItemKind.EnumMember,
            sortText: String(at).padStart(3, '0'),
            insertText: insert,
            ...(doc === undefined ? {} : { documentation: doc }),
          },
          place,
        ),
      ),
    };
  }

  /** Checks the document and the open files beside it, because a change in one file can make or fix a problem in another. */
  #check({ uri }: EditedDocument): void {
    const { connection, documents, options } = this.#needs;
    if (this.#pathOf(uri) === undefined) return;
    const beside = this.#openBeside(uri);
    const found = agentProblems(new Map(beside.map(([path, text]) => [path, text])), {
      views: this.#viewsOf(uri),
      isWhole: false,
    });
    for (const [path, , other] of beside) {
      const document = documents.get(other);
      if (!document) continue;
      const located = found.get(path) ?? [];
      const diagnostics = located.flatMap((each) => configured(each, { positions: document }, options()) ?? []);
      void connection.sendDiagnostics({ uri: other, diagnostics, version: document.version });
    }
  }

  /** Returns the open files of the same `agents` folder as path, text and URI. */
  #openBeside(uri: string): readonly (readonly [string, string, string])[] {
    const project = this.#projectOf(uri)?.folder;
    return [...this.#needs.documents.all()].flatMap((document) => {
      const path = this.#projectOf(document.uri)?.folder === project ? this.#pathOf(document.uri) : undefined;
      return path === undefined ? [] : [[path, document.getText(), document.uri] as const];
    });
  }

  #pathOf(uri: string): string | undefined {
    const project = this.#projectOf(uri);
    return project && agentPath(uri.slice(project.folder.length + 1));
  }

  /** Returns the project whose model lies beside the file's `agents` folder. */
  #projectOf(uri: string): { readonly folder: string; readonly views: KnownViews } | undefined {
    for (const { uri: root, index } of this.#needs.workspace.roots) {
      const folder = root.replace(/\/(?:model|schema)$/, '');
      if (!uri.startsWith(`${folder}/agents/`)) continue;
      const views = index.entities().filter(({ kind }) => kind === 'view');
      // The views are incomplete while the model is read, and always if code of the model generates some of them.
      return {
        folder,
        views: index.dynamic || views.length === 0 ? undefined : new Set(views.map(({ name }) => name)),
      };
    }
    return undefined;
  }

  #viewsOf(uri: string): KnownViews {
    return this.#projectOf(uri)?.views;
  }
}
