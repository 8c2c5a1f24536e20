import { isObject } from '#api/schema.ts';

type Send = (request: Request) => Promise<Response>;
type Through = (request: Request, send: Send) => Promise<Response>;

/** Platforms that respond as documented and differ from the local one in everything else. */
export const oddPlatforms: Readonly<Record<string, Through>> = {
  /** Redirects, 201 for each change, a byte order mark, no content type, and chunks of seven bytes. */
  'odd in form': async (request, send) => {
    const url = new URL(request.url);
    if (!url.searchParams.has('moved')) {
      url.searchParams.set('moved', '1');
      return new Response(null, { status: 307, headers: { location: `${url.pathname}${url.search}` } });
    }
    url.searchParams.delete('moved');
    const response = await send(new Request(url, request));
    const text = await response.text();
    if (text === '') return new Response(null, { status: response.status });
    const bytes = new TextEncoder().encode(`\uFEFF${text}\r\n`);
    return new Response(inChunks(bytes), { status: response.ok && request.method !== 'GET' ? 201 : response.status });
  },
  /** Ids as numbers, times as milliseconds, null for absent values, wrapped objects. */
  'odd in values': async (request, send) => {
    const response = await send(request);
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    if (!response.ok || !isJson || new URL(request.url).pathname.endsWith('/spec')) return response;
    return Response.json(wrapped(otherwise(await response.json())), { status: response.status });
  },
};

function inChunks(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += 7)));
    },
  });
}

function otherwise(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => otherwise(each));
  if (isObject(value)) {
    const named = Object.entries(value).map(([key, each]) => [key, otherwise(each, key)]);
    return { folderId: null, parentBranch: null, description: null, pagination: null, ...Object.fromEntries(named) };
  }
  if (typeof value !== 'string') return value;
  if (/(?:^id|Id)$/.test(name) && /^\d{1,9}$/.test(value)) return Number(value);
  return /^\d{4}-\d\d-\d\dT/.test(value) ? String(Date.parse(value)) : value;
}

function wrapped(value: unknown): unknown {
  const isBare = isObject(value) && ['data', 'items', 'Resources'].every((name) => value[name] === undefined);
  return isBare ? { data: value } : value;
}
