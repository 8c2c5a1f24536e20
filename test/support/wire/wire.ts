import { operations } from '#api/resources/operations.ts';
import type { Operation } from '#api/operation.ts';

/** A request that was sent, with the parameters of its operation. */
export interface SentRequest {
  readonly id: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed JSON or the fields of a form; `undefined` without a body. */
  readonly body: unknown;
}

/** A request that prepares the platform for a story carries this header and is not recorded. */
export const setUpHeader = 'x-set-up';

/** Records requests on the wire; `sent` waits until every body was read. */
export class Wire {
  readonly #noted: Promise<SentRequest>[] = [];

  note(request: Request): void {
    if (!request.headers.has(setUpHeader)) this.#noted.push(sentRequest(request.clone()));
  }

  /** Resolves to the requests so far, in the order in which they were sent. */
  async sent(): Promise<readonly SentRequest[]> {
    return Promise.all(this.#noted);
  }

  /** Resolves to the last request of an operation. */
  async last({ id }: Pick<Operation, 'id'>): Promise<SentRequest | undefined> {
    return (await this.sent()).findLast((request) => request.id === id);
  }
}

/** Parses a request as the operation that its method and path belong to. */
async function sentRequest(request: Request): Promise<SentRequest> {
  const url = new URL(request.url);
  const found = operationOf(request.method, url.pathname);
  if (!found) throw new Error(`No operation is sent as ${request.method} ${url.pathname}.`);
  return {
    id: found.op.id,
    path: found.path,
    query: Object.fromEntries(url.searchParams),
    body: await bodyOf(request),
  };
}

function operationOf(method: string, pathname: string): { op: Operation; path: Record<string, string> } | undefined {
  for (const { op, names, pattern } of routes) {
    const match = op.method === method ? pattern.exec(pathname) : null;
    if (match) {
      const values = match.slice(1).map((value) => decodeURIComponent(value));
      return { op, path: Object.fromEntries(names.map((name, at) => [name, values[at] ?? ''])) };
    }
  }
  return undefined;
}

/** Fixed segments come before variable ones: `users/bulk` is not the user `bulk`. */
const routes = operations
  .map((op) => ({
    op,
    names: [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
    pattern: new RegExp(`^${op.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
  }))
  .sort((a, b) => a.names.length - b.names.length);

async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (type.startsWith('multipart/')) {
    const form = await request.formData();
    const transaction = form.get('transaction');
    return {
      ...Object.fromEntries(form),
      transaction: typeof transaction === 'string' ? (JSON.parse(transaction) as unknown) : undefined,
    };
  }
  const text = await request.text();
  if (text === '') return undefined;
  return type.includes('x-www-form-urlencoded') ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
}
