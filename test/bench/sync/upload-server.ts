import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, createServer as createSocketServer } from 'node:net';
import { createHash } from 'node:crypto';

/** A platform that keeps a branch in memory and does nothing else, so that only the client's way is measured. */
export interface UploadServer {
  readonly url: string;
  readonly requests: () => number;
  reset(): void;
  close(): Promise<void>;
}

const BRANCHES = [
  { name: 'main', parentBranch: null },
  { name: 'dev-bench', parentBranch: 'main' },
];

/** @param delayMs time that the server takes for each request */
export async function startUploadServer(delayMs: number): Promise<UploadServer> {
  let files = new Map<string, string>();
  let staged = new Map<string, string>();
  let requests = 0;
  const answer = (request: IncomingMessage, response: ServerResponse, body: Buffer): void => {
    const path = request.url ?? '';
    const json = (value: unknown): void => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(value));
    };
    if (path.endsWith('/branches')) json({ data: BRANCHES });
    else if (path.includes('file-hashes'))
      json({ files: Object.fromEntries([...files].map(([name, hash]) => [name, { hash }])) });
    else if (path.endsWith('upload/start')) json({ transaction: { id: 'bench' } });
    else if (path.endsWith('upload/file')) {
      const [name, hash] = readPart(body);
      staged.set(name, hash);
      json({});
    } else if (path.endsWith('upload/finish')) {
      files = new Map([...files, ...staged]);
      staged = new Map();
      json({ branchName: 'dev-bench', lastHash: 'x' });
    } else {
      const written = JSON.parse(body.toString()) as { files: { path: string; content: string }[] };
      for (const file of written.files) files.set(file.path, sha1(Buffer.from(file.content)));
      response.setHeader('etag', '"x"');
      response.statusCode = 204;
      response.end();
    }
  };
  const server: Server = createServer((request, response) => {
    requests += 1;
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const reply = (): void => answer(request, response, Buffer.concat(parts));
      if (delayMs > 0) setTimeout(reply, delayMs);
      else reply();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    reset: () => {
      files = new Map();
      staged = new Map();
      requests = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** File name and hash of a multipart upload. */
function readPart(body: Buffer): readonly [name: string, hash: string] {
  const fileAt = body.indexOf('name="file"');
  const head = body.toString('latin1', 0, fileAt);
  const name = /name="fileName"\r\n\r\n([^\r]*)/.exec(head)?.[1] ?? '';
  const from = body.indexOf('\r\n\r\n', fileAt) + 4;
  return [Buffer.from(name, 'latin1').toString('utf8'), sha1(body.subarray(from, body.lastIndexOf('\r\n--')))];
}

const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');

/** The least that one request a file costs: eight raw sockets, a ready-made request each, no HTTP client at all. */
export async function rawSocketPushMs(count: number, bytes: number): Promise<number> {
  const request = Buffer.concat([
    Buffer.from(`POST /f HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`),
    Buffer.alloc(bytes, 120),
  ]);
  const reply = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  const server = createSocketServer((socket) => {
    let pending = 0;
    socket.on('data', (chunk) => {
      pending += chunk.length;
      for (; pending >= request.length; pending -= request.length) socket.write(reply);
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const started = performance.now();
  let sent = 0;
  await Promise.all(
    Array.from(
      { length: 8 },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(port, '127.0.0.1');
          const next = (): void => {
            if (sent >= count) {
              socket.end();
              resolve();
            } else {
              sent += 1;
              socket.write(request);
            }
          };
          socket.on('connect', next);
          socket.on('data', next);
          socket.on('error', reject);
        }),
    ),
  );
  const elapsed = performance.now() - started;
  server.close();
  return elapsed;
}
