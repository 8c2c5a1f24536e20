import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { foreignAddress } from '../platform/own-address.ts';

export interface GuardedProxy {
  /** The URL with the token: opening it once signs the browser in. */
  readonly url: string;
  readonly close: () => void;
}

export interface ProxyOptions {
  readonly port: number;
  /** The Unix socket of the server behind the proxy, in a folder that only this user can enter. */
  readonly socketPath: string;
  readonly token: string;
}

interface Refusal {
  readonly status: number;
  readonly text: string;
}

/**
 * The only access to a server without a sign-in: listens on the loopback interface, and serves requests that use that address as
 * their host, come from its own pages, and carry the token (in the URL once, in a cookie from then on).
 */
export async function startGuardedProxy({ port, socketPath, token }: ProxyOptions): Promise<GuardedProxy> {
  const guard = new Guard(token);
  const sockets = new Set<Duplex>();
  const server = createServer((incoming, answer) => serve(incoming, answer, guard, socketPath));
  server.on('upgrade', (incoming, socket) => upgrade(incoming, socket, guard, socketPath));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await listening(server, port);
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: `http://127.0.0.1:${portOf(server)}/?tkn=${token}`, close };
}

class Guard {
  readonly #token: Buffer;

  constructor(token: string) {
    this.#token = digest(token);
  }

  /** Returns why a request is refused; `undefined` if it may pass. */
  refusal({ headers, socket }: IncomingMessage): Refusal | undefined {
    const port = socket.localPort ?? 0;
    const foreign = foreignAddress(headers, port);
    if (foreign !== undefined) return { status: 421, text: foreign };
    const cookies = (headers.cookie ?? '').split(';').map((each) => each.trim().split('='));
    const isSignedIn = cookies.some(([name, value = '']) => name === cookieName(port) && this.matches(value));
    const text = 'Open the address that `npm start` printed: it holds the token of this start.';
    return isSignedIn ? undefined : { status: 401, text };
  }

  matches(token: string): boolean {
    return timingSafeEqual(digest(token), this.#token);
  }
}

const cookieName = (port: number): string => `modelbench-start-${port}`;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function serve(incoming: IncomingMessage, answer: ServerResponse, guard: Guard, socketPath: string): void {
  const signedIn = signIn(incoming, guard);
  if (signedIn) {
    answer.writeHead(302, signedIn).end();
    return;
  }
  const refusal = guard.refusal(incoming);
  if (refusal) {
    answer.writeHead(refusal.status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${refusal.text}\n`);
    return;
  }
  const { method, url, headers } = incoming;
  const outgoing = request({ socketPath, method, path: url, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  outgoing.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
  answer.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

/** Returns the response headers for a URL with the right token: they set a cookie and redirect to the URL without the token. */
function signIn(incoming: IncomingMessage, guard: Guard): Record<string, string> | undefined {
  const port = incoming.socket.localPort ?? 0;
  if (incoming.method !== 'GET' || foreignAddress(incoming.headers, port) !== undefined) return undefined;
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
  const token = url.searchParams.get('tkn');
  if (url.pathname !== '/' || token === null || !guard.matches(token)) return undefined;
  url.searchParams.delete('tkn');
  return {
    'set-cookie': `${cookieName(port)}=${token}; Path=/; HttpOnly; SameSite=Lax`,
    'referrer-policy': 'no-referrer',
    location: `${url.pathname}${url.search}`,
  };
}

function upgrade(incoming: IncomingMessage, socket: Duplex, guard: Guard, socketPath: string): void {
  const refusal = guard.refusal(incoming);
  if (refusal || incoming.headers.origin === undefined) {
    socket.end(`HTTP/1.1 ${refusal?.status ?? 403} Refused\r\nConnection: close\r\n\r\n`);
    return;
  }
  const { method, url, headers } = incoming;
  const outgoing = request({ socketPath, method, path: url, headers });
  outgoing.on('upgrade', (response, behind, head) => {
    const lines = response.rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [`${name}: ${response.rawHeaders[at + 1]}`] : [],
    );
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
    if (head.length > 0) socket.write(head);
    behind.on('error', () => socket.destroy()).pipe(socket);
    socket.on('error', () => behind.destroy()).pipe(behind);
  });
  outgoing.on('response', () => socket.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n'));
  outgoing.on('error', () => socket.destroy());
  outgoing.end();
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', done);
  });
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
