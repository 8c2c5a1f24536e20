import type { Connection, Diagnostic } from 'vscode-languageserver';
import type { OpenDocuments } from '#language-server/documents/documents.ts';

/** What diagnostics need of a connection. */
export type DiagnosticsConnection = Pick<Connection, 'sendDiagnostics'> & {
  readonly console: Pick<Connection['console'], 'error'>;
};

/** Sends each file's problems if they differ from those sent last, with the version that they belong to. */
export class DiagnosticsPublisher {
  readonly #connection: Pick<Connection, 'sendDiagnostics'>;
  readonly #documents: OpenDocuments;
  readonly #sent = new Map<string, string>();
  /** The files that have problems which point into others, and these others. */
  readonly #pointing = new Map<string, ReadonlySet<string>>();

  constructor(connection: Pick<Connection, 'sendDiagnostics'>, documents: OpenDocuments) {
    this.#connection = connection;
    this.#documents = documents;
  }

  publish(uri: string, diagnostics: Diagnostic[]): void {
    const version = this.#documents.get(uri)?.version;
    const fingerprint = `${version ?? ''}:${diagnostics.length === 0 ? '' : JSON.stringify(diagnostics)}`;
    // An empty list for a file that never had problems is not worth a message.
    if (this.#sent.get(uri) === fingerprint) return;
    if (diagnostics.length === 0 && version === undefined && !this.#sent.has(uri)) return;
    this.#sent.set(uri, fingerprint);
    this.#noteOthers(uri, diagnostics);
    void this.#connection.sendDiagnostics({ uri, diagnostics, ...(version === undefined ? {} : { version }) });
  }

  /** Whether problems that were sent for other files point into a file: they move with its text. */
  isPointedAt(uri: string): boolean {
    for (const [other, named] of this.#pointing) if (other !== uri && named.has(uri)) return true;
    return false;
  }

  #noteOthers(uri: string, diagnostics: readonly Diagnostic[]): void {
    const named = diagnostics.flatMap(({ relatedInformation = [] }) =>
      relatedInformation.map(({ location }) => location.uri),
    );
    if (named.length > 0) this.#pointing.set(uri, new Set(named));
    else this.#pointing.delete(uri);
  }

  /** Clears the problems of a file that is gone. */
  clear(uri: string): void {
    this.#pointing.delete(uri);
    if (this.#sent.delete(uri)) void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
  }
}
