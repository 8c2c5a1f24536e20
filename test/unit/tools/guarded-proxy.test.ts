import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startGuardedProxy } from '../../tools/guarded-proxy.ts';
import { root } from '../../tools/run.ts';

const TOKEN = 'the-token-of-this-start';

interface Behind {
  readonly port: number;
  readonly url: string;
  /** Requests that came through, by address. */
  readonly served: readonly string[];
}

async function openProxy(): Promise<Behind> {
  const folder = mkdtempSync(path.join(tmpdir(), 'proxy-'));
  const served: string[] = [];
  const server = createServer(({ url = '' }, answer) => {
    served.push(url);
    answer.end('secret');
  });
  server.on('upgrade', ({ url = '' }, socket) => {
    served.push(url);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.pipe(socket);
  });
  const socketPath = path.join(folder, 'socket');
  server.listen(socketPath);
  await once(server, 'listening');
  const proxy = await startGuardedProxy({ port: 0, socketPath, token: TOKEN });
  onTestFinished(() => {
    proxy.close();
    server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  return { port: Number(new URL(proxy.url).port), url: proxy.url, served };
}

type Headers = Readonly<Record<string, string>>;

async function ask({ port }: Behind, address: string, headers: Headers): Promise<IncomingMessage & { text: string }> {
  const sent = request({ host: '127.0.0.1', port, path: address, headers, setHost: !('host' in headers) }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return Object.assign(response, { text });
}

/** The status that a WebSocket is answered with, and what it echoes. */
async function connect({ port }: Behind, headers: Headers): Promise<readonly [number | undefined, string]> {
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
  const sent = request({ host: '127.0.0.1', port, headers: { ...upgrade, ...headers } });
  const answered = new Promise<readonly [number | undefined, string]>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => resolve([response.statusCode, '']));
    sent.on('upgrade', (response, socket) => {
      socket.once('data', (data: Buffer) => {
        socket.destroy();
        resolve([response.statusCode, data.toString()]);
      });
      socket.write('hello');
    });
  });
  sent.end();
  return answered;
}

const cookieOf = ({ port }: Behind, token: string): string => `other=1; modelbench-start-${port}=${token}`;

describe('VS Code behind the proxy of npm start', () => {
  it('signs in a browser that opens the printed address, and takes the token out of the address', async () => {
    const behind = await openProxy();
    const answer = await ask(behind, `/${new URL(behind.url).search}&folder=%2Fa`, {});
    expect(answer.statusCode).toBe(302);
    expect(answer.headers.location).toBe('/?folder=%2Fa');
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toContain('HttpOnly; SameSite=Lax');
    const opened = await ask(behind, '/?folder=%2Fa', { cookie: cookie.split(';')[0] ?? '' });
    expect([opened.statusCode, opened.text]).toEqual([200, 'secret']);
  });

  it('serves nothing without the token', async () => {
    const behind = await openProxy();
    const wrong = [{}, { cookie: cookieOf(behind, 'guessed') }, { cookie: cookieOf(behind, '') }];
    for (const headers of wrong) {
      for (const address of [
        '/',
        '/?tkn=guessed',
        '/?tkn=',
        '/vscode-remote-resource?path=/etc/passwd',
        `/x?tkn=${TOKEN}`,
      ]) {
        expect((await ask(behind, address, headers)).statusCode).toBe(401);
      }
      expect(await connect(behind, { ...headers, origin: `http://127.0.0.1:${behind.port}` })).toEqual([401, '']);
    }
    expect(behind.served).toEqual([]);
  });

  it('serves nothing to a foreign Host or Origin, even with the token', async () => {
    const behind = await openProxy();
    const cookie = cookieOf(behind, TOKEN);
    const hosts = ['evil.example', `evil.example:${behind.port}`, `127.0.0.1.evil.example:${behind.port}`, '127.0.0.1'];
    for (const host of hosts) {
      expect((await ask(behind, '/', { host, cookie })).statusCode).toBe(421);
      expect((await ask(behind, `/?tkn=${TOKEN}`, { host })).statusCode).toBe(421);
      expect(await connect(behind, { host, cookie, origin: `http://${host}` })).toEqual([421, '']);
    }
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
      expect((await ask(behind, '/', { origin, cookie })).statusCode).toBe(421);
      expect(await connect(behind, { origin, cookie })).toEqual([421, '']);
    }
    expect(await connect(behind, { cookie })).toEqual([403, '']);
    expect(behind.served).toEqual([]);
  });

  it('passes a WebSocket of its own pages through, both ways', async () => {
    const behind = await openProxy();
    const headers = { cookie: cookieOf(behind, TOKEN), origin: `http://127.0.0.1:${behind.port}` };
    expect(await connect(behind, headers)).toEqual([101, 'hello']);
  });
});

describe('every VS Code that the tools start', () => {
  it('has a token, or no port at all', () => {
    const tools = path.join(root, 'test/tools');
    const sources = readdirSync(tools).filter((name) => name.endsWith('.ts'));
    for (const name of sources) {
      const text = readFileSync(path.join(tools, name), 'utf8');
      expect(text).not.toContain('without-connection-token');
      expect(text.includes("'--auth', 'none'")).toBe(text.includes("'--socket'"));
    }
  });
});
