import type { Connection, Diagnostic, PublishDiagnosticsParams } from 'vscode-languageserver';
import type { ClientTerms } from './client-terms.ts';
import type { OpenDocuments } from '#language-server/documents/documents.ts';
import type { FileAliases } from '#language-server/documents/file-aliases.ts';
import type { LanguageHost } from '#language-server/host.ts';

interface Needs {
  readonly connection: Pick<Connection, 'sendDiagnostics'> & {
    readonly console: Pick<Connection['console'], 'error'>;
    readonly languages: { readonly diagnostics: Pick<Connection['languages']['diagnostics'], 'refresh'> };
  };
  readonly host: Pick<LanguageHost, 'yield'>;
  readonly documents: Pick<OpenDocuments, 'written' | 'onDidRename'>;
  readonly aliases: Pick<FileAliases, 'outgoing'>;
  readonly terms: () => Pick<ClientTerms, 'pullsDiagnostics' | 'repeatsPulls'>;
}

/** Takes diagnostics to the client: sends them, or stores them for a client that asks for them. */
export class DiagnosticsOutput {
  readonly #needs: Needs;
  readonly #stored = new Map<string, Diagnostic[]>();
  /** The problems that were sent last for documents that the client writes in another way than the server does. */
  readonly #sent = new Map<string, Diagnostic[]>();
  #isRefreshing = false;

  constructor(needs: Needs) {
    this.#needs = needs;
    needs.documents.onDidRename(({ uri, from, to }) => {
      if (!needs.terms().pullsDiagnostics) void needs.connection.sendDiagnostics({ uri: from, diagnostics: [] });
      const diagnostics = this.#sent.get(uri);
      this.#sent.delete(uri);
      if (diagnostics) void this.sendDiagnostics({ uri: to, diagnostics });
    });
  }

  get console(): Pick<Connection['console'], 'error'> {
    return this.#needs.connection.console;
  }

  sendDiagnostics(params: PublishDiagnosticsParams): Promise<void> {
    const { connection, documents, aliases, terms } = this.#needs;
    const { uri, diagnostics } = params;
    if (!terms().pullsDiagnostics) {
      const written = documents.written(uri);
      if (written !== uri) this.#sent.set(uri, diagnostics);
      return connection.sendDiagnostics({ ...aliases.outgoing(params), uri: written });
    }
    const before = this.#stored.get(uri) ?? [];
    this.#stored.set(uri, diagnostics);
    if (terms().repeatsPulls && JSON.stringify(before) !== JSON.stringify(diagnostics)) void this.#refresh();
    return Promise.resolve();
  }

  /** Returns the diagnostics of a document that were found last. */
  stored(uri: string): Diagnostic[] {
    return this.#stored.get(uri) ?? [];
  }

  /** Lets the client ask again, once for all that is found in one turn. */
  async #refresh(): Promise<void> {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    await this.#needs.host.yield();
    this.#isRefreshing = false;
    // The client may be shutting down; nothing depends on the answer.
    await Promise.resolve(this.#needs.connection.languages.diagnostics.refresh()).catch(() => undefined);
  }
}
