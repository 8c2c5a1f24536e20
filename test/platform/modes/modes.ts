import { type NamedOperation, operationAt } from './documented.ts';
import { linesOf } from './lines.ts';
import type { Answered, Asked, Mode } from './mode.ts';
import { newer } from './newer.ts';
import { otherForms } from './other-forms.ts';
import { otherWords } from './other-words.ts';
import { smallPages } from './small-pages.ts';
import { bare, strict } from './strict.ts';
import { terse } from './terse.ts';

/** The modes by the names that `--mode` takes; `generous` is the local platform's own way. */
export const namedModes: Readonly<Record<string, Mode>> = {
  generous: {},
  strict,
  bare,
  terse: terse(),
  'other-words': otherWords(),
  newer,
  'other-forms': otherForms,
  'small-pages': smallPages,
};

/**
 * Reads a list of names, for example `strict,small-pages`.
 * @throws TypeError that names the modes there are
 */
export function readModes(names: string): readonly Mode[] {
  return names.split(',').map((name) => {
    const mode = Object.hasOwn(namedModes, name) ? namedModes[name] : undefined;
    if (mode !== undefined) return mode;
    throw new TypeError(`--mode must be one or several of ${Object.keys(namedModes).join(', ')}, not "${name}".`);
  });
}

type Serve = (request: Request) => Promise<Response>;

/** Serves in these modes; the data API of an environment has a contract of its own and stays as it is. */
export function inModes(modes: readonly Mode[], serve: Serve): Serve {
  if (modes.length === 0) return serve;
  // The first mode is the outermost: it sees requests first and answers last.
  const outwards = modes.toReversed();
  return async (request) => {
    const url = new URL(request.url);
    if (url.pathname.startsWith('/data/')) return serve(request);
    const operation = operationAt(request.method, url.pathname);
    let asked: Asked = { operation, url, headers: request.headers, json: await jsonOf(request) };
    for (const mode of modes) {
      const next = mode.ask?.(asked) ?? asked;
      if ('status' in next) return toResponse(next);
      asked = next;
    }
    const response = await serve(toRequest(request, asked));
    return operation === undefined ? response : answeredIn(outwards, operation, response);
  };
}

async function jsonOf(request: Request): Promise<unknown> {
  if (request.headers.get('content-type')?.includes('json') !== true) return undefined;
  try {
    return (await request.clone().json()) as unknown;
  } catch {
    // The platform refuses it in its own words.
    return undefined;
  }
}

function toRequest(request: Request, { url, headers, json }: Asked): Request {
  const { method, signal } = request;
  const own = new Headers(headers);
  own.delete('content-length');
  const body = json === undefined ? request.body : JSON.stringify(json);
  return new Request(url, { method, signal, headers: own, body, ...(body === request.body ? { duplex: 'half' } : {}) });
}

async function answeredIn(modes: readonly Mode[], operation: NamedOperation, response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('ndjson') && response.body !== null) {
    const change = (line: unknown): readonly unknown[] =>
      modes.reduce<readonly unknown[]>(
        (lines, mode) => lines.flatMap((each) => mode.line?.(operation, each) ?? [each]),
        [line],
      );
    return new Response(linesOf(response.body, change), { status: response.status, headers: response.headers });
  }
  // What is neither JSON nor empty (a CSV file, a web page) is streamed as it comes.
  if (!type.includes('json') && response.body !== null) return response;
  const text = await response.text();
  const json = text === '' ? undefined : (JSON.parse(text) as unknown);
  const answered: Answered = { status: response.status, headers: response.headers, json };
  return toResponse(modes.reduce((answer, mode) => mode.answer?.(operation, answer) ?? answer, answered));
}

function toResponse({ status, headers, json, text }: Answered): Response {
  const own = new Headers(headers);
  own.delete('content-length');
  if (json !== undefined) return Response.json(json, { status, headers: own });
  if (status === 204 || (text ?? '') === '') own.delete('content-type');
  return new Response(status === 204 ? null : (text ?? ''), { status, headers: own });
}
