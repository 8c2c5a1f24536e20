import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { listDeployments } from '#api/resources/deployments.ts';
import type { Platform } from '#platform/app.ts';
import { demo } from '#platform/seed/names.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { openPlatform, toRequest } from '#support/platform.ts';
import { describe, expect, it } from 'vitest';

/** What only a real connection shows. */

const chatPath = `/api/v1/public/${demo.account}/agents/${demo.agentId}/chat/stream-chat-state`;

/** A request as no browser or client of ours would send it; `fetch` sets these headers itself. */
async function raw(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<readonly [number | undefined, string]> {
  const request = get(url, { headers, setHost: !('host' in headers) });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return [response.statusCode, text];
}

async function ask(platform: Platform): Promise<Response> {
  const { url } = await platform.listen();
  const { headers } = toRequest(platform, listDeployments);
  return fetch(`${url}/api/v1/deployments`, { headers });
}

describe('over loopback', () => {
  it('serves nothing to a foreign Host, as after DNS rebinding, even with the right key', async () => {
    const platform = await openPlatform();
    const { url } = await platform.listen();
    const { port } = new URL(url);
    const authorization = `Bearer ${platform.apiKey}`;
    const foreign = ['evil.example', `evil.example:${port}`, `127.0.0.1.evil.example:${port}`, `localhost.:${port}`];
    for (const host of [...foreign, '127.0.0.1', '127.0.0.1:1', `0.0.0.0:${port}`, '']) {
      const [status, text] = await raw(`${url}/api/v1/deployments`, { host, authorization });
      expect([host, status, text.includes('Shop analytics')]).toEqual([host, 421, false]);
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      const [status] = await raw(`${url}/api/v1/deployments`, { host, authorization });
      expect([host, status]).toEqual([host, 200]);
    }
  });

  it('serves nothing to a page of another origin', async () => {
    const platform = await openPlatform({ faults: true });
    const { url } = await platform.listen();
    const authorization = `Bearer ${platform.apiKey}`;
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', url.replace('http:', 'https:')]) {
      for (const path of ['/api/v1/deployments', '/auth/device', '/_log']) {
        const [status] = await raw(`${url}${path}`, { origin, authorization });
        expect([origin, path, status]).toEqual([origin, path, 421]);
      }
    }
    expect((await raw(`${url}/auth/device`, { origin: url }))[0]).toBe(200);
  });

  it('a JSON answer is sent whole and says how long it is', async () => {
    const platform = await openPlatform();
    const response = await ask(platform);
    const text = await response.text();
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(response.headers.has('transfer-encoding')).toBe(false);
    const inMemory = await platform.fetch(toRequest(platform, listDeployments));
    expect(text).toBe(await inMemory.text());
  });

  it('a cut answer sends what comes before the cut, then the connection breaks', async () => {
    const platform = await openPlatform({ faults: true });
    platform.control.faults([{ kind: 'cut', afterBytes: 10, path: 'deployments' }]);
    const { url } = await platform.listen();
    // `fetch` throws what it has away when a body breaks off.
    const { headers } = toRequest(platform, listDeployments);
    const request = get(`${url}/api/v1/deployments`, { headers: Object.fromEntries(headers) });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const chunks: string[] = [];
    const read = async (): Promise<void> => {
      for await (const chunk of response.setEncoding('utf8')) chunks.push(String(chunk));
    };
    await expect(read()).rejects.toThrow('aborted');
    expect([response.statusCode, chunks.join('')]).toEqual([200, '{"data":{"']);
  });

  it('a refused change whose body was not read leaves the connection usable', async () => {
    const platform = await openPlatform();
    const { url } = await platform.listen();
    const body = JSON.stringify({ name: 'x'.repeat(300_000) });
    for (let time = 0; time < 3; time++) {
      const response = await fetch(`${url}/build/api/v1/deployments/`, { method: 'POST', body });
      expect([response.status, Object.keys((await response.json()) as object)]).toEqual([401, ['error']]);
    }
  });

  it('a chat streams: its first lines arrive while the answer is still being made', async () => {
    const clock = new ManualClock(Date.UTC(2026, 5, 1));
    // The agent waits for the clock between two deltas, and nobody moves the clock.
    const platform = await openPlatform({ clock, chatDelayMs: 1000 });
    const { chatUrl } = await platform.listen();
    const response = await fetch(`${chatUrl}${chatPath}`, {
      method: 'POST',
      headers: { Authorization: `Api-Key ${platform.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ input: 'How many orders?', sessionSettings: { externalId: 'mia' } }),
    });
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain('__cutoff__');
    await reader?.cancel();
  });
});
