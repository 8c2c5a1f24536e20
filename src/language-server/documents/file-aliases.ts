import { normalizeUri } from './uris.ts';

/**
 * The open documents whose file a model knows by another path: the user opened it through a link, or in another letter case than the
 * disk has. Requests about them and answers are put in terms of the other side. Without such documents, nothing is copied.
 */
export class FileAliases {
  readonly #known = new Map<string, string>();
  readonly #clients = new Map<string, string>();

  /** Notes that the document that the client calls `client` is the file that the model calls `known`. */
  set(client: string, known: string): void {
    this.#known.set(client, known);
    this.#clients.set(known, client);
  }

  delete(known: string): void {
    this.#known.delete(this.#clients.get(known) ?? known);
    this.#clients.delete(known);
  }

  /** Puts what the client sent in terms of the model. */
  incoming<T>(sent: T): T {
    return this.#known.size === 0 ? sent : respelled(sent, (uri) => this.#known.get(normalizeUri(uri)) ?? uri);
  }

  /** Puts an answer in terms of the client. */
  outgoing<T>(answer: T): T {
    return this.#clients.size === 0 ? answer : respelled(answer, (uri) => this.#clients.get(uri) ?? uri);
  }
}

/** The keys whose values are URIs, in all messages. */
const URI_KEYS = new Set(['uri', 'targetUri', 'target']);

/** Copies a message with other URIs. */
function respelled<T>(value: T, spell: (uri: string) => string): T {
  if (Array.isArray(value)) {
    return (typeof value[0] === 'object' ? value.map((each: unknown) => respelled(each, spell)) : value) as T;
  }
  // Tokens and errors are objects with a class of their own.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, own] of Object.entries(value)) {
    if (URI_KEYS.has(key) && typeof own === 'string') copy[key] = spell(own);
    // The changes of an edit are listed by URI.
    else copy[key.includes(':') ? spell(key) : key] = respelled(own, spell);
  }
  return copy as T;
}
