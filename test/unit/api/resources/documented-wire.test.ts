import { describe, expect, it } from 'vitest';
import { exportAuditLog } from '#api/resources/audit.ts';
import { streamChatByAgent, streamChatByDeployment } from '#api/resources/chat.ts';
import type { Client } from '#api/client/client.ts';
import { listRegions } from '#api/resources/deployments.ts';
import { uploadFile } from '#api/resources/upload.ts';
import { originOf } from '#base/origin.ts';
import { silentLogger } from '#base/log.ts';
import { ClientUnderTest, thrown } from '#support/api/client-under-test.ts';
import { type Sentence, SENTENCES } from '#support/api/documented-sentences.ts';
import { BUILD_SENTENCES } from '#support/api/documented-build-sentences.ts';
import { patientDataClient } from '../../../support/api/patient-client.ts';

/** What goes over the wire for one call, and what the caller gets. */
async function exchange({ send, answer: [status, json] }: Pick<Sentence, 'send' | 'answer'>) {
  const under = new ClientUnderTest(() =>
    json === undefined ? new Response(null, { status }) : Response.json(json, { status }),
  );
  const got = await under.clock.run(send(under.client));
  const [request] = under.sent;
  if (!request || under.sent.length !== 1) throw new Error(`${under.sent.length} requests were sent.`);
  return { request, got, path: request.url.replace('https://acme.example', '') };
}

const params = { deploymentId: 7 };

describe('the client on the wire', () => {
  it.each([...SENTENCES, ...BUILD_SENTENCES])('$says', async ({ line, body, gets = {}, ...sentence }) => {
    const { request, got, path } = await exchange(sentence);
    expect(`${request.method} ${path}`).toBe(line);
    const text = await request.text();
    expect(text === '' ? undefined : JSON.parse(text)).toEqual(body);
    expect(request.headers.get('content-type')).toBe(text === '' ? null : 'application/json');
    expect(got ?? {}).toMatchObject(gets);
  });

  it('sends a key as Authorization: Bearer <API_KEY_OR_ACCESS_TOKEN>', async () => {
    const send = (client: Client): Promise<unknown> => client.call(listRegions, {});
    const { request } = await exchange({ send, answer: [200, []] });
    expect(request.headers.get('authorization')).toMatch(/^Bearer \S+$/);
  });

  it('uploads a file as multipart with transaction (JSON text), fileName and file', async () => {
    const file = new TextEncoder().encode('cubes: []\n');
    const body = { transaction: { id: 't1' }, fileName: 'model/a.yml', file };
    const send = (client: Client): Promise<unknown> => client.call(uploadFile, { params, body });
    const { request, path } = await exchange({ send, answer: [200, {}] });
    expect(`${request.method} ${path}`).toBe('POST /build/api/v1/deployments/7/data-model/upload/file');
    const form = await request.formData();
    expect([...form.keys()].toSorted()).toEqual(['file', 'fileName', 'transaction']);
    expect(JSON.parse(form.get('transaction') as string)).toEqual({ id: 't1' });
    expect(form.get('fileName')).toBe('model/a.yml');
    expect(await (form.get('file') as File).text()).toBe('cubes: []\n');
  });

  it('exports the audit log with start, end, search, eventName and userEmail', async () => {
    const query = {
      start: '2026-01-01',
      end: '2026-02-01',
      search: 'key',
      eventName: 'Login',
      userEmail: 'ann@acme.example',
    };
    const under = new ClientUnderTest(() => new Response('time\n', { headers: { 'content-type': 'text/csv' } }));
    await under.clock.run(under.client.open(exportAuditLog, { query }));
    const url = new URL(under.sent[0]?.url ?? '');
    expect(url.pathname).toBe('/api/v1/audit-logs/export');
    expect(Object.fromEntries(url.searchParams)).toEqual(query);
  });

  it('asks an agent or a deployment at …/chat/stream-chat-state', async () => {
    const under = new ClientUnderTest(
      () =>
        new Response('{"id":"__cutoff__","role":"assistant"}\n', {
          headers: { 'content-type': 'application/x-ndjson' },
        }),
    );
    const body = {
      input: 'Hi',
      messageId: '1700000000000-message',
      sessionSettings: { externalId: 'ann' },
      activeBranchName: 'dev-ann',
    };
    await under.clock.run(under.client.open(streamChatByAgent, { params: { accountName: 'acme', agentId: 2 }, body }));
    await under.clock.run(
      under.client.open(streamChatByDeployment, { params: { accountName: 'acme', deploymentId: 7 }, body }),
    );
    expect(under.sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      'POST /api/v1/public/acme/agents/2/chat/stream-chat-state',
      'POST /api/v1/public/acme/deployments/7/chat/stream-chat-state',
    ]);
    expect(await under.sent[0]?.json()).toEqual(body);
  });

  it.each([
    [401, 'auth'],
    [403, 'forbidden'],
  ])('reads {error: <message string>} of status %i', async (status, kind) => {
    const under = new ClientUnderTest(() => Response.json({ error: 'The key is for other deployments.' }, { status }));
    const error = await under.clock.run(thrown(under.client.call(listRegions, {})));
    expect(error).toMatchObject({ kind, status });
    expect(JSON.stringify((error as { body?: unknown }).body)).toContain('The key is for other deployments.');
  });
});

describe('the data API on the wire', () => {
  it('is asked below rest.url with the bare token: GET /meta, POST /load {query}', async () => {
    const sent: Request[] = [];
    const client = patientDataClient({
      restUrl: 'https://rest.example/cubejs-api/v1',
      credential: () => ({ kind: 'plain', token: 'a.b.c', origin: originOf('https://rest.example') }),
      logger: silentLogger,
      fetch: (input, init) => {
        const request = new Request(input, init);
        sent.push(request.clone());
        return Promise.resolve(
          Response.json(
            request.url.endsWith('/meta')
              ? { cubes: [{ name: 'orders', type: 'cube', measures: [], dimensions: [], segments: [] }] }
              : { data: [{ 'orders.count': '42' }], annotation: {} },
          ),
        );
      },
    });
    expect((await client.meta()).map(({ name }) => name)).toEqual(['orders']);
    expect((await client.load({ measures: ['orders.count'] })).data).toEqual([{ 'orders.count': '42' }]);
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET https://rest.example/cubejs-api/v1/meta',
      'POST https://rest.example/cubejs-api/v1/load',
    ]);
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['a.b.c', 'a.b.c']);
    expect(await sent[1]?.json()).toEqual({ query: { measures: ['orders.count'] } });
  });
});
