import { ServerResponse } from 'node:http';
import { type Http2Bindings, type HttpBindings, serve, type ServerType } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Wire } from './faults.ts';
import { foreignAddress } from './own-address.ts';

export interface Listening {
  /** Base of the management, build and SCIM APIs. */
  readonly url: string;
  /** Base of the Chat API. */
  readonly chatUrl: string;
}

type Serve = (request: Request, wire: Wire) => Promise<Response>;

/** Serves on a port of the loopback interface (0: any free one); the server is added to those that are closed later. */
export function listen(answer: Serve, port: number, servers: ServerType[]): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const options = {
      port,
      hostname: '127.0.0.1',
      overrideGlobalObjects: false,
      fetch: async (request: Request, { incoming, outgoing }: HttpBindings | Http2Bindings) => {
        const refused = foreignAddress(incoming.headers, incoming.socket.localPort ?? 0);
        if (refused !== undefined) return Response.json({ error: refused }, { status: 421 });
        const response = await answer(request, { reset: () => incoming.socket.resetAndDestroy() });
        const send = senderOf(response);
        if (send === undefined || !(outgoing instanceof ServerResponse)) return response;
        await send(response, outgoing);
        return RESPONSE_ALREADY_SENT;
      },
    };
    const server = serve(options, (info) => {
      const url = `http://127.0.0.1:${info.port}`;
      resolve({ url, chatUrl: url });
    });
    server.on('error', reject);
    servers.push(server);
  });
}

export function closeServer(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}

type Send = (response: Response, outgoing: ServerResponse) => Promise<void>;

/** How an answer is sent that the adapter would send late or lose a part of; undefined: as the adapter does. */
function senderOf({ body, headers }: Response): Send | undefined {
  if (body === null) return undefined;
  if (headers.has('transfer-encoding')) return sendPieces;
  // A stream of lines, each due when it is said.
  if (headers.get('x-accel-buffering') === 'no') return undefined;
  return headers.get('content-type')?.startsWith('application/json') === true ? sendWhole : undefined;
}

/**
 * A JSON answer in one write. The adapter takes every body for a stream that may never end, and waits for a timer (1 ms
 * an answer) before it believes that the body is over.
 */
async function sendWhole(response: Response, outgoing: ServerResponse): Promise<void> {
  const text = await response.text();
  const head = { ...Object.fromEntries(response.headers), 'content-length': Buffer.byteLength(text) };
  outgoing.writeHead(response.status, head);
  // As text it leaves in one packet with the head.
  outgoing.end(text);
}

/** Piece by piece, each on its way before the next is asked for: what comes before a cut arrives. */
async function sendPieces(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  try {
    for await (const chunk of response.body ?? []) await written(outgoing, chunk);
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

function written(outgoing: ServerResponse, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    outgoing.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
