import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlatform, type Platform } from '#platform/app.ts';
import { signJwt } from '#platform/auth/jwt.ts';
import { demo } from '#platform/seed/names.ts';
import { finalAnswer, linesOf } from '#support/chat-lines.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await createPlatform({ chatDelayMs: 0, warehouseRows: 2000, dataWaitMs: 300_000 });
});
afterAll(() => platform.close());

async function send(path: string, options: { authorization?: string; body?: unknown } = {}): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    ...(options.authorization ? { authorization: options.authorization } : {}),
  };
  const body = options.body === undefined ? {} : { method: 'POST', body: JSON.stringify(options.body) };
  return platform.fetch(new Request(new URL(path, 'http://127.0.0.1'), { headers, ...body }));
}

interface Environments {
  readonly data: {
    readonly environments: readonly {
      readonly id: string;
      readonly type: string;
      readonly api_credentials: { readonly rest: { readonly url: string } };
    }[];
  };
}

async function environments(): Promise<Environments['data']['environments']> {
  const path = `/api/v1/deployments/${String(demo.shop)}/environments`;
  const response = await send(path, { authorization: `Bearer ${platform.apiKey}` });
  return ((await response.json()) as Environments).data.environments;
}

describe('data and chat on the whole platform', () => {
  it('serve each environment at the address it is listed with', async () => {
    const token = signJwt({ groups: ['support'] }, demo.apiSecret);
    const listed = await environments();
    expect(listed.map(({ type }) => type)).toContain('staging');
    for (const environment of listed) {
      const { pathname } = new URL(environment.api_credentials.rest.url);
      const response = await send(`${pathname}/load`, {
        authorization: token,
        body: { query: { measures: ['orders.count'] } },
      });
      expect(await response.json()).toMatchObject({ data: [{ 'orders.count': '833' }] });
    }
  });

  it('open /meta, and nothing else, to a metadata token of the environment', async () => {
    const [first, second] = await environments();
    const tokens = `/api/v1/deployments/${String(demo.shop)}/environments/${first?.id ?? ''}/tokens-for-meta-sync`;
    const made = await send(tokens, { authorization: `Bearer ${platform.apiKey}`, body: { security_context: {} } });
    const { token } = ((await made.json()) as { data: { token: string } }).data;
    const status = async (url: string | undefined, path: string): Promise<number> =>
      (await send(`${new URL(url ?? '').pathname}${path}`, { authorization: token })).status;
    expect(await status(first?.api_credentials.rest.url, '/meta')).toBe(200);
    expect(await status(first?.api_credentials.rest.url, '/load?query={}')).toBe(403);
    expect(await status(second?.api_credentials.rest.url, '/meta')).toBe(403);
  });

  it('answer the demo key in the chat, from the sample model', async () => {
    const path = `/api/v1/public/${demo.account}/agents/${demo.agentId}/chat/stream-chat-state`;
    const body = { input: 'how many orders', sessionSettings: { externalId: 'demo' } };
    const lines = await linesOf(await send(path, { authorization: `Api-Key ${platform.apiKey}`, body }));
    expect(finalAnswer(lines)).toBe('**Number of orders**: **833**\n');
    const elsewhere = await send(path.replace(demo.account, demo.otherAccount), {
      authorization: `Api-Key ${platform.apiKey}`,
      body,
    });
    expect(elsewhere.status).toBe(404);
  });

  it('answer JSON where there is nothing', async () => {
    for (const path of ['/data/1/cubejs-api/v1/nothing', '/api/v1/public/shop/nothing']) {
      const response = await send(path);
      expect([response.status, await response.json()]).toEqual([404, { error: `There is no GET ${path}.` }]);
    }
  });
});
