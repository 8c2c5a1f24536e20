import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as branches from '#api/resources/branches.ts';
import type { Client } from '#api/client/client.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { listDeployments } from '#api/resources/deployments.ts';
import { isPlatformError, type PlatformError } from '#api/errors.ts';
import { deploymentPages, environmentPages, folderPages, reportPages, scimUserPages } from '#api/resources/lists.ts';
import type { Operation } from '#api/operation.ts';
import { operations } from '#api/resources/operations.ts';
import { collect, type PageLoader } from '#api/resources/pagination.ts';
import { documented } from '#platform/modes/documented.ts';
import type { Mode } from '#platform/modes/mode.ts';
import { namedModes, readModes } from '#platform/modes/modes.ts';
import { otherWords, wordings } from '#platform/modes/other-words.ts';
import { terse } from '#platform/modes/terse.ts';
import { demo } from '#platform/seed/names.ts';
import { clientOfWorld, worldOrigin, openWorld, story } from '#support/api/story/world.ts';
import { samples } from '#support/api/samples.ts';
import type { Step, World } from '#support/api/story/step.ts';

/**
 * The typed client against every way of answering that the documented API allows: what was done is done, what is refused is
 * refused with the platform's own words, and lists are whole.
 */

const modes: Readonly<Record<string, readonly Mode[]>> = {
  // In each of its forms, depending on the operation; and in the one that is not JSON at all.
  ...Object.fromEntries(Object.keys(namedModes).map((name) => [name, readModes(name)])),
  'terse (OK)': [terse('OK')],
};
const named = Object.entries(modes).map(([name, list]) => ({ name, list }));

/** In these modes the optional operations are switched off. */
const lacks = (list: readonly Mode[], { id }: Operation): boolean =>
  documented.operations[id]?.diamond === true && list.some((mode) => isStrict(mode));

const bareMode = namedModes['bare'] ?? {};
const isStrict = (mode: Mode): boolean => mode === namedModes['strict'] || mode === bareMode;

describe.each(named)('in mode $name', ({ name, list }) => {
  let world: World;
  beforeAll(async () => {
    world = await openSeededWorld(list);
  });
  afterAll(() => world.platform.close());

  it('every list is whole', async () => {
    const { client } = world;
    const loads: readonly PageLoader<{ readonly id?: string | undefined }>[] = [
      deploymentPages(client),
      environmentPages(client, demo.shop),
      folderPages(client, demo.shop),
      reportPages(client, demo.shop),
      ...(list.includes(bareMode) ? [] : [scimUserPages(client)]),
    ];
    const counts: number[] = [];
    for (const load of loads) {
      const { items, truncated } = await collect(load);
      expect(truncated).toBe(false);
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
      counts.push(items.length);
    }
    expect(counts).toEqual([3, 2, 6, 30, 3].slice(0, counts.length));
  });

  it('a refusal is one, whatever the operation, with the words of the platform', async () => {
    const stranger = clientOfWorld(world, { kind: 'bearer', token: 'wrong', origin: worldOrigin });
    const wrong: string[] = [];
    for (const op of operations.filter((each) => each.anonymous !== true && !lacks(list, each))) {
      const unknownKey = await failure(stranger, op, demo.shop);
      // A key on the deployment form of the chat is refused before it is known to be wrong (docs/chat.md#credentials).
      if (unknownKey?.kind !== 'auth' && op.host !== 'chat') wrong.push(`${op.id}: ${unknownKey?.kind}`);
      const nothingThere = hasDeployment(op) ? await failure(world.client, op, 999_999) : undefined;
      if (hasDeployment(op) && nothingThere?.kind !== 'notFound') wrong.push(`${op.id}: ${nothingThere?.kind}`);
      const problems = [unknownKey, nothingThere].flatMap((error) => (error && unsaid(error)) ?? []);
      wrong.push(...problems.map((problem) => `${op.id}: ${problem}`));
    }
    expect(wrong).toEqual([]);
  });

  it('every operation has its effect, or is refused because it is not documented', async () => {
    const { outcomes, wrong } = await playStory(world, list);
    print(name, outcomes);
    expect(wrong).toEqual([]);
    expect(outcomes.done + outcomes.refused + outcomes.unreadable).toBe(story.length);
  });
});

describe('in any modes together', () => {
  it('every operation has its effect, or is refused because it is not documented', async () => {
    const names = Object.keys(namedModes).filter((name) => name !== 'bare');
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(names, { minLength: 2 }), async (chosen) => {
        const list = readModes(chosen.join(','));
        const world = await openSeededWorld(list);
        const { wrong } = await playStory(world, list);
        await world.platform.close();
        expect(wrong).toEqual([]);
      }),
      { numRuns: 2 },
    );
  });
});

interface Outcomes {
  done: number;
  /** Because the operation is not documented. */
  refused: number;
  /** The answer lacks what Modelbench needs, and the error says so. */
  unreadable: number;
}

type Outcome = keyof Outcomes | { readonly wrong: string };

async function playStory(world: World, list: readonly Mode[]): Promise<{ outcomes: Outcomes; wrong: string[] }> {
  const outcomes: Outcomes = { done: 0, refused: 0, unreadable: 0 };
  const wrong: string[] = [];
  for (const step of story) {
    const outcome = lacks(list, step.op) ? await playOff(world, step.op) : await playStep(world, step);
    if (typeof outcome === 'object') wrong.push(`${step.op.id}: ${outcome.wrong}`);
    // Only where a server shows no more fields than are documented may an answer lack what is needed.
    else if (outcome === 'unreadable' && !world.isBare) wrong.push(`${step.op.id}: the answer cannot be read`);
    else outcomes[outcome] += 1;
  }
  return { outcomes, wrong };
}

async function playStep(world: World, { play, expected }: Step): Promise<Outcome> {
  try {
    const found = await play(world);
    expect({ found: world.isBare ? expected : found }).toMatchObject({ found: expected });
    return 'done';
  } catch (error) {
    if (isPlatformError(error, 'invalidResponse')) return 'unreadable';
    // What an answer did not say cannot be asked for.
    if (world.isBare && isMissingId(error)) return 'unreadable';
    return { wrong: String(error) };
  }
}

const isMissingId = (error: unknown): boolean =>
  isPlatformError(error, 'invalidRequest') || /No earlier step remembered/.test(String(error));

/** An operation that the server does not have. */
async function playOff(world: World, op: Operation): Promise<Outcome> {
  const error = await failure(world.client, op, demo.shop);
  return error?.kind === 'notFound' && error.status === 404
    ? 'refused'
    : { wrong: `answered with ${error?.kind ?? 'success'}` };
}

/** The matrix of modes and operations, on demand. */
function print(mode: string, { done, refused: off, unreadable }: Outcomes): void {
  if (process.env['MODES_MATRIX'] === undefined) return;
  process.stdout.write(
    `| ${mode} | ${story.length} played | ${done} done | ${off} refused | ${unreadable} unreadable |\n`,
  );
}

describe('a refusal by a rule of the platform', () => {
  const worded = Array.from({ length: wordings + 1 }, (_, at) => at);
  it.each(worded)('stays what it is for the client (wording %i)', async (wording) => {
    const list = wording === wordings ? readModes('strict') : [otherWords(wording)];
    const world = await openSeededWorld(list);
    const dev = await divergedBranch(world);
    const before = JSON.stringify(branchRows(world));
    for (const { name, ask } of refused) {
      const error = await ask(world.client, dev).then(() => undefined, asPlatformError);
      expect({ name, status: error?.status, kind: error?.kind }).toMatchObject({
        name,
        status: expect.toBeOneOf([400, 403, 404, 409, 422]) as number,
        kind: expect.toBeOneOf(['forbidden', 'conflict', 'invalidRequest', 'notFound']) as string,
      });
      expect({ name, unsaid: error && unsaid(error) }).toEqual({ name, unsaid: undefined });
      expect(error?.message).not.toMatch(/changed (?:there|meanwhile)/);
    }
    expect(JSON.stringify(branchRows(world))).toBe(before);
    await world.platform.close();
  });

  it('uses sentences that the local platform does not use by default', async () => {
    const plain = await openSeededWorld([]);
    const dev = await divergedBranch(plain);
    const own = new Set<string>();
    for (const { ask } of refused)
      own.add((await ask(plain.client, dev).then(() => undefined, asPlatformError))?.message ?? '');
    await plain.platform.close();
    for (let wording = 0; wording < wordings; wording++) {
      const world = await openSeededWorld([otherWords(wording)]);
      await divergedBranch(world);
      for (const { name, ask } of refused) {
        const error = await ask(world.client, dev).then(() => undefined, asPlatformError);
        expect({ name, isOwn: own.has(error?.message ?? '') }).toEqual({ name, isOwn: false });
      }
      await world.platform.close();
    }
  });
});

const shop = { deploymentId: demo.shop };
const write = (client: Client, branchName: string): Promise<unknown> =>
  client.call(writeDataModelFiles, {
    params: shop,
    body: { branchName, files: [{ path: 'model/a.yml', content: '' }] },
  });
const stage = (client: Client, branchName: string): Promise<unknown> =>
  client.call(branches.setBranchStagingEnvironment, { params: shop, body: { enabled: true, branchName } });

/** Requests that the platform refuses by its rules (docs/platform-api.md#refusals; docs/platform-api.md#branches-and-dev-mode and 4.5). */
const refused: readonly { readonly name: string; readonly ask: (client: Client, dev: string) => Promise<unknown> }[] = [
  { name: 'a write to the deploy branch', ask: (client) => write(client, 'main') },
  { name: 'a write to a shared branch', ask: (client) => write(client, demo.sharedBranch) },
  { name: "a write to a colleague's dev branch", ask: (client) => write(client, demo.staleDevBranch) },
  { name: 'a staging environment of production', ask: (client) => stage(client, 'main') },
  { name: 'a staging environment of a dev branch', ask: (client) => stage(client, demo.staleDevBranch) },
  {
    name: 'a merge of uncommitted work',
    ask: (client, dev) => client.call(branches.merge, { params: shop, body: { branchName: dev } }),
  },
  {
    name: 'a commit while the parent has moved',
    ask: (client, dev) => client.call(branches.commit, { params: shop, body: { branchName: dev, message: 'Mine' } }),
  },
  {
    name: 'a pull of the same lines',
    ask: (client, dev) => client.call(branches.pull, { params: shop, body: { branchName: dev } }),
  },
  {
    name: 'a branch that is there already',
    ask: (client) => client.call(branches.createBranch, { params: shop, body: { name: demo.sharedBranch } }),
  },
  {
    name: 'a merge of the deploy branch into itself',
    ask: (client) => client.call(branches.merge, { params: shop, body: { branchName: 'main' } }),
  },
  {
    name: 'a merge of a branch that is not there',
    ask: (client) => client.call(branches.merge, { params: shop, body: { branchName: 'nowhere' } }),
  },
];

/** A dev branch with uncommitted work on a file that a colleague has changed in its parent meanwhile; answers its name. */
async function divergedBranch({ client, platform }: World): Promise<string> {
  const { name: branchName } = await client.call(branches.startDevMode, { params: shop, body: { branchName: 'main' } });
  const files = [{ path: 'model/both.yml', content: 'mine\n' }];
  await client.call(writeDataModelFiles, { params: shop, body: { branchName, files } });
  await platform.control.colleagueCommit(demo.shop, 'main', { 'model/both.yml': 'theirs\n' });
  return branchName;
}

const branchRows = ({ platform }: World): unknown => {
  const { branches: rows, files } = platform.control.rows();
  return { rows, files };
};

const hasDeployment = ({ path, host }: Operation): boolean => host !== 'chat' && path.includes('{deploymentId}');

/** The error of an operation's sample request, in a deployment of this id. */
async function failure(client: Client, op: Operation, deploymentId: number): Promise<PlatformError | undefined> {
  const { request } = samples[op.id] ?? {};
  const here = { deploymentId, accountName: demo.account, agentId: demo.agentId };
  const params = Object.fromEntries(
    Object.entries(request?.params ?? {}).map(([name, value]) => [name, here[name as keyof typeof here] ?? value]),
  );
  const asked = { ...request, ...(request?.params === undefined ? {} : { params }) };
  const isStream = op.answerKind === 'csv' || op.answerKind === 'ndjson';
  const answer = isStream ? client.open(op, asked) : client.call(op, asked);
  return answer.then(() => undefined, asPlatformError);
}

/** A world on a copy of the seed that is made once a run. */
async function openSeededWorld(list: readonly Mode[]): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'modes-'));
  cpSync(inject('demoSeed'), dataDir, { recursive: true });
  folders.push(dataDir);
  return openWorld({ dataDir, modes: list });
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

function asPlatformError(error: unknown): PlatformError {
  if (isPlatformError(error)) return error;
  throw error;
}

/**
 * What is missing in an error whose answer said why; a JSON-RPC error comes in an answer that is not a refusal by its
 * status.
 */
function unsaid({ body, message, status }: PlatformError): string | undefined {
  if ((status ?? 200) < 400) return undefined;
  const words = (body as { readonly error?: unknown } | undefined)?.error;
  if (typeof words !== 'string' || words === '') return 'the answer had no words';
  // Inside our sentence they have no full stop of their own.
  const said = words.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return message.includes(said) ? undefined : `“${words}” is not in “${message}”`;
}

describe('a mode', () => {
  it('needs a known name: the refusal lists them', () => {
    expect(() => readModes('strict,kind')).toThrow(
      /^--mode must be one or several of generous, strict, .*, not "kind"\.$/,
    );
    expect(readModes('strict,newer')).toHaveLength(2);
  });

  it('would be found if it broke an operation', async () => {
    const broken: Mode = {
      answer: (op, answered) => (op.id === listDeployments.id ? { ...answered, json: { data: 7 } } : answered),
    };
    const world = await openSeededWorld([broken]);
    const step = story.find(({ op }) => op.id === listDeployments.id);
    expect(step && (await playStep(world, step))).toBe('unreadable');
    await world.platform.close();
  });
});
