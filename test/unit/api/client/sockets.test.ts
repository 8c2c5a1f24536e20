import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { originOf } from '#base/origin.ts';
import type { Client, ClientLimits } from '#api/client/client.ts';
import { auditLogCsv } from '#api/streams/byte-stream.ts';
import { listBranches } from '#api/resources/branches.ts';
import { listDeployments } from '#api/resources/deployments.ts';
import { sqlRows } from '#api/data/sql-rows.ts';
import { uploadFile } from '#api/resources/upload.ts';
import { silentLogger } from '#base/log.ts';
import { thrown } from '#support/api/client-under-test.ts';
import { patientClient, patientDataClient } from '../../../support/api/patient-client.ts';

/** Where only real sockets show what happens: the same client over loopback with the runtime's own `fetch`. */

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

async function serving(listener: Listener, limits: Partial<ClientLimits> = {}): Promise<Client> {
  return clientOf(await listening(listener), limits);
}

/** Serves requests on a free port, and resolves to the address. */
async function listening(listener: Listener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function clientOf(baseUrl: string, limits: Partial<ClientLimits>): Client {
  return patientClient({
    baseUrl,
    credential: () => ({ kind: 'bearer', token: 'sk-canary-7f3a9c1e', origin: originOf(baseUrl) }),
    logger: silentLogger,
    limits: { attempts: 1, ...limits },
  });
}

const params = { deploymentId: 7 };

describe('over real sockets', () => {
  it('a connection that is reset before the answer is a network error', async () => {
    const client = await serving((request) =>
      (request.socket as Socket & { resetAndDestroy(): void }).resetAndDestroy(),
    );
    const error = await thrown(client.call(listDeployments, {}));
    expect(error).toMatchObject({ kind: 'network', retryable: true });
    expect((error as Error).message).toMatch(/The connection to 127\.0\.0\.1:\d+ broke/);
  });

  it.each([
    [
      'while it is sent',
      (half: Buffer, response: ServerResponse) => void response.write(half, () => response.destroy()),
      { kind: 'network', message: expect.stringMatching(/connection.* broke/) as unknown },
    ],
    [
      'before it was compressed to its end',
      (half: Buffer, response: ServerResponse) => void response.end(half),
      { kind: 'invalidResponse', message: expect.stringMatching(/was cut off/) as unknown },
    ],
  ])('a compressed answer of a data API that is cut %s is not taken for a whole one', async (_, send, expected) => {
    const rows = Array.from({ length: 5_000 }, (_row, at) => ({ 'orders.id': at, 'orders.key': Math.sin(at) }));
    const whole = gzipSync(JSON.stringify({ data: rows }));
    const restUrl = await listening((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      send(whole.subarray(0, whole.length / 2), response);
    });
    const client = patientDataClient({
      restUrl,
      credential: () => ({ kind: 'plain', token: 'a-token', origin: originOf(restUrl) }),
      logger: silentLogger,
      limits: { attempts: 1 },
    });
    expect(await thrown(client.load({ measures: ['orders.count'] }))).toMatchObject(expected);
    expect(await thrown(sqlRows(client, 'SELECT 1', {}))).toMatchObject({ kind: 'network' });
  });

  it('a body that is cut is a network error, not half an answer', async () => {
    const client = await serving((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"data":[]}', () => response.destroy());
    });
    expect(await thrown(client.call(listBranches, { params }))).toMatchObject({ kind: 'network' });
  });

  it('a server that is not there is said so', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const error = await thrown(clientOf(`http://127.0.0.1:${port}`, {}).call(listDeployments, {}));
    expect((error as Error).message).toBe(
      `127.0.0.1:${port} refused the connection. Check the tenant URL and whether the server runs.`,
    );
  });

  it.each([
    ['before the headers', (): Listener => () => undefined],
    [
      'in the middle of the body',
      (): Listener => (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"data":[');
      },
    ],
  ])('a server that hangs %s is given up, and its connection let go', async (_, listener) => {
    // The time is up when the request is with the server, however slow the machine is.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const arrived = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const hang = listener();
    const client = await serving(
      (request, response) => {
        request.socket.once('close', gone.resolve);
        hang(request, response);
        arrived.resolve();
      },
      { timeoutMs: 50 },
    );
    const error = thrown(client.call(listBranches, { params }));
    await arrived.promise;
    vi.advanceTimersByTime(50);
    expect(await error).toMatchObject({ kind: 'timeout' });
    await gone.promise;
  });

  it('an endless answer is refused while it is read', async () => {
    let written = 0;
    const client = await serving(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const chunk = Buffer.alloc(256 * 1024, 0x20);
        const more = (): void => {
          while (!response.destroyed) {
            written += chunk.length;
            if (!response.write(chunk)) return void response.once('drain', more);
          }
        };
        more();
      },
      { maxAnswerBytes: 1024 * 1024 },
    );
    expect(await thrown(client.call(listBranches, { params }))).toMatchObject({ kind: 'invalidResponse' });
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it('cancelling ends the connection at once', async () => {
    const controller = new AbortController();
    let closed: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const client = await serving((request) => {
      request.socket.once('close', closed);
      controller.abort();
    });
    const call = client.call(listDeployments, {}, { signal: controller.signal });
    expect(await thrown(call)).toMatchObject({ kind: 'cancelled', name: 'AbortError' });
    await gone;
  });

  it('a redirect to another port of this machine does not carry the key', async () => {
    const seen: string[] = [];
    const other = createServer((request, response) => {
      seen.push(request.url ?? '');
      response.end('{}');
    });
    servers.push(other);
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const client = await serving((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${port}/x` }).end();
    });
    expect(await thrown(client.call(listDeployments, {}))).toMatchObject({ kind: 'insecure' });
    expect(seen).toEqual([]);
  });

  it('a file goes up as form data that a server can read', async () => {
    let received: (form: FormData) => void = () => undefined;
    const form = new Promise<FormData>((resolve) => {
      received = resolve;
    });
    const client = await serving((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const headers = { 'content-type': request.headers['content-type'] ?? '' };
        void new Response(Buffer.concat(chunks), { headers }).formData().then(received);
        response.writeHead(204).end();
      });
    });
    const file = new Uint8Array(300_000).map((_, index) => index % 251);
    await client.call(uploadFile, { params, body: { transaction: 't', fileName: 'model/a.bin', file } });
    const part = (await form).get('file') as File;
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(file);
  });

  it('an export streams: its first bytes come before its last are written, and a reader may leave', async () => {
    let finish: () => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const client = await serving((_, response) => {
      response.once('close', finish);
      response.writeHead(200, { 'content-type': 'text/csv' });
      response.write('time,event\r\n');
    });
    for await (const chunk of auditLogCsv(client, { search: 'x' })) {
      expect(new TextDecoder().decode(chunk)).toBe('time,event\r\n');
      break;
    }
    await left;
  });
});
