import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a hostile tenant calls everything: a link that runs a command, an icon, and a mark that turns the text around. */
export const hostile = '[Sign in again](command:workbench.action.terminal.new) $(zap) \u202E';

/** Fields whose texts people chose or read; ids, hashes, paths and kinds stay, so that the platform works. */
const named =
  /^(?:name|title|label|displayName|description|message|error|detail|email|userName|fullName|firstName|lastName|branchName|parentBranch|logs?|line|text|reason|schedule|url_slug)$/;

export interface HostileTenant {
  readonly url: string;
  readonly stop: () => void;
}

/** Stands in front of a platform and puts the hostile text before every name and message that it answers. */
export async function hostileTenant(platformUrl: string): Promise<HostileTenant> {
  const server = createServer((request, response) => {
    forward(platformUrl, request, response).catch((error: unknown) => {
      response.statusCode = 502;
      response.end(JSON.stringify({ error: `${hostile}${String(error)}` }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function forward(platformUrl: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  const body = Buffer.concat(chunks);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name)) headers.set(name, value);
  }
  const answer = await fetch(`${platformUrl}${plainPath(request.url ?? '/')}`, {
    method: request.method ?? 'GET',
    headers,
    ...(body.length === 0 ? {} : { body: plainBody(body, headers.get('content-type') ?? '') }),
  });
  const type = answer.headers.get('content-type') ?? '';
  const text = new Uint8Array(await answer.arrayBuffer());
  const kept = [...answer.headers].filter(
    ([name]) => !['content-length', 'content-encoding', 'transfer-encoding', 'connection'].includes(name),
  );
  response.writeHead(answer.status, Object.fromEntries(kept));
  response.end(type.includes('json') ? hostileLines(new TextDecoder().decode(text)) : text);
}

/** JSON, or a document a line. */
function hostileLines(text: string): string {
  try {
    return JSON.stringify(renamed(JSON.parse(text)));
  } catch {
    return text
      .split('\n')
      .map((line) => (line === '' ? line : JSON.stringify(renamed(JSON.parse(line)))))
      .join('\n');
  }
}

function renamed(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return named.test(key) ? hostile + value : value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renamed(item, name)]));
}

/** The platform's own names again. */
function plainPath(address: string): string {
  const [path = '', query] = address.split('?');
  const segments = path.split('/').map((segment) => encodeURIComponent(plain(decodeURIComponent(segment))));
  if (query === undefined) return segments.join('/');
  const names = [...new URLSearchParams(query)].map(([name, value]) => [name, plain(value)]);
  return `${segments.join('/')}?${new URLSearchParams(names).toString()}`;
}

function plainBody(body: Buffer, type: string): Uint8Array<ArrayBuffer> | string {
  if (!type.includes('json')) return new Uint8Array(body);
  return JSON.stringify(JSON.parse(body.toString('utf8')), (_key, value: unknown) =>
    typeof value === 'string' ? plain(value) : value,
  );
}

const plain = (text: string): string => text.replaceAll(hostile, '');
