import type { Connection, Diagnostic } from 'vscode-languageserver';
import type { OpenDocuments } from './documents.ts';

/** What of a connection diagnostics need. */
export type DiagnosticsConnection = Pick<Connection, 'sendDiagnostics'> & {
  readonly console: Pick<Connection['console'], 'error'>;
};

/** Sends each file's problems when they differ from what was sent last, stamped with the version they belong to. */
export class DiagnosticsPublisher {
  readonly #connection: Pick<Connection, 'sendDiagnostics'>;
  readonly #documents: OpenDocuments;
  readonly #sent = new Map<string, string>();

  constructor(connection: Pick<Connection, 'sendDiagnostics'>, documents: OpenDocuments) {
    this.#connection = connection;
    this.#documents = documents;
  }

  publish(uri: string, diagnostics: Diagnostic[]): void {
    const version = this.#documents.get(uri)?.version;
    const fingerprint = `${version ?? ''}:${diagnostics.length === 0 ? '' : JSON.stringify(diagnostics)}`;
    // An unchanged empty list for a file that never had any is not worth a message.
    if (this.#sent.get(uri) === fingerprint) return;
    if (diagnostics.length === 0 && version === undefined && !this.#sent.has(uri)) return;
    this.#sent.set(uri, fingerprint);
    void this.#connection.sendDiagnostics({ uri, diagnostics, ...(version === undefined ? {} : { version }) });
  }

  /** The file is gone: so are its problems. */
  clear(uri: string): void {
    if (this.#sent.delete(uri)) void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
  }
}
