import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface JsonRequest {
  readonly method: string;
  readonly address: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface JsonReply {
  readonly status: number;
  readonly value: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface JsonServer {
  readonly url: string;
  /** Method, path and query of each request. */
  readonly requests: readonly string[];
  readonly close: () => Promise<void>;
}

/** Serves JSON on a port of the loopback interface, by default a free one; rejects if the port is taken. */
export async function startJsonServer(answer: (request: JsonRequest) => JsonReply, wanted = 0): Promise<JsonServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const { method = '', url = '', headers: sent } = request;
      requests.push(`${method} ${url}`);
      const address = new URL(url, `http://${sent.host ?? ''}`);
      const { status, value, headers = {} } = answer({ method, address, headers: sent, body });
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(value));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
