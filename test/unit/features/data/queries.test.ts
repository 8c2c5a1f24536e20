import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCapabilities } from '#api/description/capabilities.ts';
import type { SqlBatch } from '#api/data/sql-batches.ts';
import { systemClock } from '#base/clock.ts';
import { originOf } from '#base/origin.ts';
import { silentLogger } from '#base/log.ts';
import { type CredentialQuestion, Queries } from '#features/data/queries.ts';
import type { QueryTarget } from '#features/data/query-service.ts';
import { signJwt } from '#platform/auth/jwt.ts';
import { realEngine } from '#support/real-engine.ts';
import { namedModes } from '#platform/modes/modes.ts';
import { demo } from '#platform/seed/names.ts';
import { MemorySecrets } from '#support/memory-secrets.ts';
import { MemoryState } from '#support/memory-state.ts';
import { type DeskOptions, openDesk } from '#support/features.ts';

interface Answers {
  readonly answers: Readonly<Record<string, { readonly status: number; readonly error: string }>>;
}
const file = new URL('../../../fixtures/cube-core/answers.json', import.meta.url);
const { answers } = JSON.parse(readFileSync(file, 'utf8')) as Answers;
/** What a real server answers to `{}`, recorded by `npm run test:cube-core`. */
const recorded = (name: string): Response => {
  const { status = 0, error } = answers[name] ?? {};
  return Response.json({ error }, { status });
};
const engine = realEngine();

const query = { measures: ['orders.count'] };
const strict: DeskOptions = { modes: [namedModes['strict']].flatMap((mode) => mode ?? []) };

/** The query service on a fresh platform; `typed` is what the user enters, one after the other, until the form closes. */
async function open(options: DeskOptions = {}) {
  const desk = await openDesk(options);
  await desk.data.deployments(desk.account.id).get();
  const secrets = new MemorySecrets();
  const typed: string[] = [];
  const questions: CredentialQuestion[] = [];
  const said: (string | undefined)[] = [];
  const queries = new Queries({
    data: desk.data,
    capabilitiesOf: () => readCapabilities(desk.client),
    session: desk.session,
    storage: { secrets, user: new MemoryState(), window: new MemoryState() },
    clock: systemClock,
    logger: silentLogger,
    fetch: (input, init) => desk.platform.fetch(new Request(input, init)),
    ask: async (question, check) => {
      questions.push(question);
      for (let next = typed.shift(); next !== undefined; next = typed.shift()) {
        said.push(await check(next, new AbortController().signal));
        if (said.at(-1) === undefined) return;
      }
    },
  });
  const target = { kind: 'environment', accountId: desk.account.id, deploymentId: String(demo.shop) } as const;
  return { ...desk, queries, secrets, typed, questions, said, target };
}

describe('queries', () => {
  it('need no question where the platform issues tokens, and report wrong ones in the words of the engine', async () => {
    const { queries, target, questions, secrets } = await open({ engine });
    const outcome = await queries.run(target, query);
    expect(outcome).toMatchObject({
      kind: 'rows',
      rows: [{ 'orders.count': expect.anything() as unknown }],
      annotation: { measures: { 'orders.count': { type: 'number' } } },
      facts: { source: expect.stringContaining('Shop analytics · ') as unknown },
    });
    expect(questions).toEqual([]);
    expect([...secrets.values]).toEqual([]);
    expect(await queries.run(target, { measures: ['orders.nothing'] })).toMatchObject({
      kind: 'wrongQuery',
      message: expect.stringContaining('orders.nothing') as unknown,
    });
  });

  it('that compare date ranges are not sent, because their answer is one result for each range', async () => {
    const { queries, target } = await open({ engine });
    const compareDateRange = ['this year', 'last year'];
    const timeDimensions = [{ dimension: 'orders.created_at', compareDateRange }];
    expect(await queries.run(target, { ...query, timeDimensions })).toEqual({
      kind: 'wrongQuery',
      message: '“compareDateRange” is not supported here. Run one query for each period.',
    });
  });

  it('ask once for the API secret where it does not, and test it first', async () => {
    const { queries, target, questions, typed, said, secrets } = await open({ ...strict, engine });
    typed.push('wrong', demo.apiSecret);
    expect(await queries.run(target, query)).toMatchObject({ kind: 'rows' });
    expect(said).toEqual([expect.stringContaining('The server refused a token that was signed') as unknown, undefined]);
    expect([...secrets.values.values()]).toEqual([demo.apiSecret]);
    const batches: SqlBatch[] = [];
    for await (const batch of queries.client(target).cubeSql('SELECT MEASURE(count) AS n FROM orders'))
      batches.push(batch);
    expect(batches.map(({ kind }) => kind)).toEqual(['schema', 'rows']);
    expect(questions).toEqual([{ source: expect.any(String) as unknown, host: 'platform.test', reason: 'nothing' }]);
  });

  it('run as an identity with a token of its own, issued or signed with the API secret', async () => {
    const securityContext = { user: 'ada' };
    const issued = await open({ engine });
    expect(await issued.queries.run(issued.target, query, { securityContext })).toMatchObject({ kind: 'rows' });
    const { queries, target, typed, said, questions } = await open({ ...strict, engine });
    const token = signJwt({ user: 'eve' }, demo.apiSecret);
    typed.push(token, demo.apiSecret);
    expect(await queries.run(target, query, { securityContext })).toMatchObject({ kind: 'rows' });
    expect(said).toEqual([expect.stringContaining('Enter the API secret') as unknown, undefined]);
    // The secret is kept for every identity.
    expect(await queries.run(target, query, { securityContext: { user: 'bob' } })).toMatchObject({ kind: 'rows' });
    expect(await queries.run(target, query)).toMatchObject({ kind: 'rows' });
    expect(questions).toHaveLength(1);
  });

  it('get other members, rows and masks for another identity', async () => {
    const { queries, target } = await open({ engine });
    const support = { groups: ['support'] };
    const emails = async (securityContext?: typeof support): Promise<readonly unknown[]> => {
      const asked = { dimensions: ['customers.email'], order: { 'customers.email': 'asc' }, limit: 3 };
      const outcome = await queries.run(target, asked, { securityContext });
      return outcome.kind === 'rows' ? outcome.rows.map((row) => row['customers.email']) : [outcome];
    };
    expect(await emails(support)).toEqual(Array(3).fill(expect.stringContaining('@')));
    expect(await emails()).not.toContainEqual(expect.stringContaining('@'));
    const members = async (securityContext?: typeof support): Promise<readonly string[]> =>
      (await queries.meta(target, { securityContext })).flatMap(({ dimensions }) => dimensions.map(({ name }) => name));
    expect(await members(support)).toContain('customer_overview.email');
    expect(await members()).not.toContain('customer_overview.email');
    const inView = { dimensions: ['customer_overview.email'], limit: 1 };
    expect((await queries.run(target, inView)).kind).toMatch(/wrongQuery|failed/);
    expect((await queries.run(target, inView, { securityContext: support })).kind).toBe('rows');
  });

  it('end silently when the user closes the form, and ask again the next time', async () => {
    const { queries, target, questions } = await open(strict);
    expect(await queries.run(target, query)).toEqual({ kind: 'cancelled' });
    expect(await queries.run(target, query)).toEqual({ kind: 'cancelled' });
    expect(questions).toHaveLength(2);
  });

  it('are unavailable in the background until there is a token', async () => {
    const { queries, target, questions } = await open(strict);
    expect(await queries.run(target, query, { mayAsk: false })).toEqual({
      kind: 'unavailable',
      message: 'Querying needs a token. Run a query yourself to be asked for it.',
    });
    expect(questions).toEqual([]);
  });

  it('read metadata with a token of its own, whatever is stored', async () => {
    const { queries, target, questions, secrets } = await open(strict);
    const environment = await queries.environment(target);
    const { id, restUrl } = environment.ok ? environment.value : { id: '', restUrl: '' };
    const name = `data.token.${JSON.stringify([target.accountId, target.deploymentId, id, originOf(restUrl)])}`;
    await secrets.set(name, signJwt({ exp: 1 }, demo.apiSecret));
    await expect(queries.meta(target)).resolves.toBeInstanceOf(Array);
    expect(questions).toEqual([]);
    // A token of an earlier version that the server refuses is dropped.
    await queries.run(target, query);
    expect(await secrets.get(name)).toBeUndefined();
  });

  it('keep the tokens of an account that stays, and forget those of one that leaves', async () => {
    const { queries, target, platform } = await open();
    const issued = (): number => platform.control.requestLog.filter(({ path }) => path.endsWith('/tokens')).length;
    await queries.run(target, query);
    queries.keepTokensOf(new Set([target.accountId]));
    await queries.run(target, query);
    expect(issued()).toBe(1);
    queries.keepTokensOf(new Set());
    await queries.run(target, query);
    expect(issued()).toBe(2);
  });

  it('report a model that does not compile by its file, its member and the error of the engine', async () => {
    const { queries, platform, target } = await open({ engine });
    const orders = (await platform.control.readFile(demo.shop, 'main', 'model/cubes/orders.yml')) ?? '';
    expect(orders).toContain('type: count');
    const broken = { 'model/cubes/orders.yml': orders.replace('type: count', 'type: counts') };
    await platform.control.colleagueCommit(demo.shop, 'main', broken);
    const message = expect.stringMatching(
      /^The data model of Shop analytics · .* does not compile\. .*“orders\.count”: .*must be one of.*\. Correct the model;/,
    ) as unknown;
    const main = { ...target, branchName: 'main' };
    await expect(queries.meta(main)).rejects.toMatchObject({ kind: 'server', message });
    expect(await queries.run(main, query)).toMatchObject({ kind: 'failed', message });
    await expect(queries.client(main).sql(query)).rejects.toMatchObject({ message });
    await expect(queries.client(main).cubeSql('SELECT 1').next()).rejects.toMatchObject({ message });
  });

  it('stop with their signal', async () => {
    const { queries, target } = await open();
    expect(await queries.run(target, query, { signal: AbortSignal.abort() })).toEqual({ kind: 'cancelled' });
  });

  it('say so where a deployment has no such environment', async () => {
    const { queries, target } = await open();
    const elsewhere: QueryTarget = { ...target, deploymentId: '999' };
    expect((await queries.run(elsewhere, query)).kind).toMatch(/unavailable|failed/);
  });
});

describe('queries of a Cube Core server', () => {
  const core = { kind: 'cubeCore', restUrl: 'http://localhost:4000/cubejs-api/v1' } as const;

  /** A server as Cube Core answers in development mode, and otherwise. */
  async function openCore(isOpen: boolean) {
    const asked: string[] = [];
    const opened = await open();
    const answer = (status: number, body: object): Response => Response.json(body, { status });
    const queries = new Queries({
      ...opened,
      storage: { secrets: opened.secrets, user: new MemoryState(), window: new MemoryState() },
      capabilitiesOf: () => Promise.reject(new Error('The platform was asked')),
      clock: systemClock,
      logger: silentLogger,
      ask: async (_question, check) => void (await check('abc', new AbortController().signal)),
      fetch: async (input, init) => {
        const request = new Request(input, init);
        asked.push(`${request.method} ${request.url}`);
        const token = request.headers.has('authorization') ? 'a token of its secret' : 'no token';
        const judged = recorded(`${token} in ${isOpen ? 'development' : 'production'}`);
        if (judged.status === 403) return judged;
        if (request.url.endsWith('/meta')) return answer(200, { cubes: [{ name: 'orders' }] });
        const { query: sent } = (await request.json()) as { query: object };
        return 'measures' in sent ? answer(200, { data: [{ 'orders.count': '3' }] }) : judged;
      },
    });
    return { queries, asked, secrets: opened.secrets };
  }

  it('need no token in development mode', async () => {
    const { queries, secrets } = await openCore(true);
    expect(await queries.run(core, query)).toMatchObject({
      kind: 'rows',
      rows: [{ 'orders.count': '3' }],
      facts: { source: 'Cube Core at localhost:4000' },
    });
    expect((await queries.meta(core)).map(({ name }) => name)).toEqual(['orders']);
    expect([...secrets.values]).toEqual([]);
  });

  it('are signed with its API secret otherwise, which is kept for its address', async () => {
    const { queries, secrets } = await openCore(false);
    expect(await queries.run(core, query)).toMatchObject({ kind: 'rows' });
    expect([...secrets.values]).toEqual([['data.secret.["","http://localhost:4000/cubejs-api/v1"]', 'abc']]);
  });

  it.each([
    ['a server in development mode', recorded('no token in development'), true],
    ['a server that wants a token', recorded('no token in production'), true],
    ['another server', new Response('<h1>Not found</h1>', { status: 404 }), false],
    ['a page that takes anything', Response.json({ data: [] }), false],
  ])('know %s', async (_what, response, isCore) => {
    const opened = await open();
    const queries = new Queries({
      ...opened,
      storage: { secrets: opened.secrets, user: new MemoryState(), window: new MemoryState() },
      capabilitiesOf: () => readCapabilities(opened.client),
      clock: systemClock,
      logger: silentLogger,
      ask: () => Promise.resolve(),
      fetch: () => Promise.resolve(response),
    });
    expect(await queries.answers(core.restUrl)).toBe(isCore);
  });

  it('offer every environment of the shown deployment', async () => {
    const { queries, session, target } = await open();
    await session.select(target);
    const [first] = await queries.refreshTargets();
    expect(first).toMatchObject({
      name: expect.stringMatching(/^Shop analytics · /) as unknown,
      target: { kind: 'environment', environmentId: expect.any(String) as unknown },
    });
    expect(await queries.nameOf(first?.target ?? core)).toBe(first?.name);
  });
});
