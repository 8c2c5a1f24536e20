import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
}

/** The members of the protocol library's transports that are used here. */
interface Transport {
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly send: (message: Message, options?: { readonly relatedRequestId?: number | string }) => Promise<void>;
}
interface HttpTransport extends Transport {
  readonly handleRequest: (request: IncomingMessage, response: ServerResponse, body: unknown) => Promise<void>;
}
interface Library {
  readonly StreamableHTTPServerTransport: new (options: {
    readonly sessionIdGenerator: () => string;
    readonly onsessioninitialized: (session: string) => void;
  }) => HttpTransport;
  readonly StdioClientTransport: new (server: {
    readonly command: string;
    readonly args: readonly string[];
  }) => Transport;
}

/** Scenarios that need no tool, prompt or resource of the protocol's example server. */
const scenarios = ['server-initialize', 'ping', 'tools-list', 'resources-list'] as const;

/**
 * Judges a server on standard input and output with the protocol's conformance client, which speaks HTTP only: the library's own
 * transports relay messages between both, unread. `installed` is the folder with the client; rejects if a scenario fails.
 */
export async function requireConformance(installed: string, args: readonly string[]): Promise<readonly string[]> {
  const library = await libraryIn(installed);
  const sessions = new Map<string, HttpTransport>();
  const opened = async (): Promise<HttpTransport> => {
    const near: HttpTransport = new library.StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (session) => sessions.set(session, near),
    });
    const far = new library.StdioClientTransport({ command: process.execPath, args });
    Object.assign(near, {
      onmessage: (message: Message) => void far.send(message),
      onclose: () => void far.close(),
    });
    Object.assign(far, {
      onmessage: (message: Message) => {
        const isAnswer = message.id !== undefined && message.method === undefined;
        void near.send(message, isAnswer ? { relatedRequestId: message.id } : {}).catch(() => undefined);
      },
    });
    await near.start();
    await far.start();
    return near;
  };
  const server = createServer((request, response) => {
    void (async () => {
      const body = await jsonOf(request);
      const session = request.headers['mcp-session-id'];
      const known = sessions.get(String(session));
      const isNew = (body as Message | undefined)?.method === 'initialize';
      const near = known ?? (isNew ? await opened() : undefined);
      if (near) await near.handleRequest(request, response, body);
      else response.writeHead(404).end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const program = join(installed, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  try {
    for (const scenario of scenarios)
      await promisify(execFile)(process.execPath, [program, 'server', '--url', url, '--scenario', scenario]);
    return scenarios;
  } finally {
    for (const transport of sessions.values()) await transport.close();
    server.closeAllConnections();
    server.close();
  }
}

async function libraryIn(installed: string): Promise<Library> {
  const { resolve } = createRequire(join(installed, 'package.json'));
  const load = async (path: string): Promise<object> =>
    (await import(pathToFileURL(resolve(`@modelcontextprotocol/sdk/${path}`)).href)) as object;
  return { ...(await load('server/streamableHttp.js')), ...(await load('client/stdio.js')) } as Library;
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? undefined : (JSON.parse(Buffer.concat(chunks).toString()) as unknown);
}
