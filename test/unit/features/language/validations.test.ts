import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '#base/log.ts';
import { originOf } from '#base/origin.ts';
import { Store } from '#base/store.ts';
import { burstMs } from '#features/language/validate-on-save.ts';
import { type FollowedFolder, longestPauseMs, Validations } from '#features/language/validations.ts';
import type { PlatformVerdict } from '#features/language/messages.ts';
import { patientClient } from '#support/api/patient-client.ts';
import { ManualClock, settled } from '#support/manual-clock.ts';

type Status = FollowedFolder['status']['value'];

/** A folder with so many changes that are not on the branch. */
class Folder implements FollowedFolder {
  readonly status: Store<Status>;
  constructor(changes: number) {
    this.status = new Store<Status>(statusOf(changes));
  }
  set changes(count: number) {
    this.status.set(statusOf(count));
  }
  flush = (): Promise<void> => Promise.resolve();
  plan = async (): ReturnType<FollowedFolder['plan']> => ({ entries: this.status.value.localChanges });
}

function statusOf(changes: number): Status {
  const localChanges = Array.from({ length: changes }, (_, at) => ({ kind: 'upload', path: `model/${at}.yml` }));
  return { localChanges: localChanges as unknown as Status['localChanges'], conflicts: [] };
}

const failed = (status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json({ error: 'Busy.' }, { status, headers });

type Answer = (request: Request) => Response | Promise<Response>;

/** The version that the deployment runs. */
const versions = async (): Promise<readonly { readonly version: string; readonly isCurrent: boolean }[]> => [
  { version: '1.6.2', isCurrent: true },
];

interface Bench {
  readonly clock: ManualClock;
  readonly folder: Folder;
  /** The roots that can be validated again. */
  readonly possible: readonly string[];
  readonly refusedKeys: Store<ReadonlySet<string>>;
  readonly requests: readonly Request[];
  readonly validations: Validations;
  /** Saves a root. */
  readonly start: (root?: string, signal?: AbortSignal) => Promise<PlatformVerdict | null>;
  /** Saves a root, and lets time pass until there is a verdict. */
  readonly run: (root?: string) => Promise<PlatformVerdict | null>;
}

interface Options {
  readonly folder?: Folder;
  /** Reads the versions of the deployment. */
  readonly get?: typeof versions;
  /** After how many milliseconds a request counts as not answered. */
  readonly timeoutMs?: number;
}

/** A window whose platform gives these answers one after the other, and the last of them again. */
function bench(answers: readonly Answer[], { folder = new Folder(0), get = versions, timeoutMs }: Options = {}): Bench {
  const requests: Request[] = [];
  const clock = new ManualClock();
  const client = patientClient({
    baseUrl: 'https://platform.test',
    credential: () => ({ kind: 'bearer', token: 'key', origin: originOf('https://platform.test') }),
    logger: silentLogger,
    clock,
    random: () => 0,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const answer = answers[Math.min(requests.push(request), answers.length) - 1];
      return answer?.(request) ?? Response.error();
    },
    ...(timeoutMs === undefined ? {} : { limits: { timeoutMs } }),
  });
  const possible: string[] = [];
  const refusedKeys = new Store<ReadonlySet<string>>(new Set());
  const validations = new Validations({
    data: { client: () => client, of: () => ({ versions: { get } }) },
    offers: () => true,
    learnOffers: () => Promise.resolve(),
    clock,
    refusedKeys,
    onDidBecomePossible: (root) => possible.push(root),
  });
  const target = { accountId: 'ann', deploymentId: '1', branchName: 'dev-ann' };
  const start: Bench['start'] = (root = 'a', signal = new AbortController().signal) => {
    const verdict = validations.validate(root, { target, modelPath: 'model', sync: folder }, signal);
    verdict.catch(() => undefined);
    return verdict;
  };
  return { clock, folder, possible, refusedKeys, requests, validations, start, run: (root) => clock.run(start(root)) };
}

const reasonOf = (verdict: PlatformVerdict | null): string | undefined =>
  verdict?.state === 'skipped' ? verdict.reason : undefined;
const valid = (): Response => Response.json({ valid: true, errors: [] });

describe('a model that the platform could not validate when it was saved', () => {
  it('can be validated once its changes were uploaded, whoever uploads them', async () => {
    const { folder, possible, run, requests } = bench([valid], { folder: new Folder(2) });
    expect(reasonOf(await run())).toBe('2 changes of the folder are not on the branch.');
    folder.changes = 1;
    expect(possible).toEqual([]);
    folder.changes = 0;
    await settled();
    expect(possible).toEqual(['a']);
    expect(requests).toHaveLength(0);
    expect(await run()).toMatchObject({ state: 'compiled', errors: [] });
    // Later uploads belong to later saves.
    folder.changes = 1;
    folder.changes = 0;
    await settled();
    expect(possible).toEqual(['a']);
  });

  it('can be validated with another key', async () => {
    const { possible, refusedKeys, run } = bench([() => failed(401)]);
    refusedKeys.set(new Set(['ann', 'another']));
    expect(reasonOf(await run())).toContain('Sign in again');
    refusedKeys.set(new Set(['ann']));
    await settled();
    expect(possible).toEqual([]);
    refusedKeys.set(new Set());
    await settled();
    expect(possible).toEqual(['a']);
  });

  it.each([
    ['asks to wait, for seconds', 429, '600', 600_000, '10 minutes'],
    ['asks to wait, until a time', 429, new Date(1_700_000_000_000 + 1_200_000).toUTCString(), 1_200_000, '20 minutes'],
    ['asks to wait for years', 429, '9'.repeat(30), 999_999_999_000, '277,778 hours'],
    ['is being serviced', 503, '7200', 7_200_000, '2 hours'],
  ])('waits as long as a platform wants that %s', async (_, status, retryAfter, pause, text) => {
    const { clock, possible, run } = bench([() => failed(status, { 'retry-after': retryAfter })]);
    const reason = reasonOf(await run());
    expect(reason).toMatch(new RegExp(`\\. Validates again in ${text}\\.$`));
    expect(reason).not.toMatch(/try again/i);
    await clock.advance(pause - 60_000);
    expect(possible).toEqual([]);
    await clock.advance(60_000);
    expect(possible).toEqual(['a']);
  });

  it('waits longer after each failure in a row, up to a limit, and starts over after a verdict', async () => {
    const answers: Answer[] = [];
    for (let round = 0; round < 6 * 4; round++) answers.push(() => failed(500));
    answers.push(valid, () => failed(500));
    const { run } = bench(answers);
    const pauses: (string | undefined)[] = [];
    for (let round = 0; round < 8; round++) pauses.push(/again in (.*)\.$/.exec(reasonOf(await run()) ?? '')?.[1]);
    expect(pauses).toEqual([
      '1 minute',
      '2 minutes',
      '4 minutes',
      '8 minutes',
      `${longestPauseMs / 60_000} minutes`,
      '15 minutes',
      undefined,
      '1 minute',
    ]);
  });

  it.each([
    [
      'whose answer is cut',
      () => new Response(cut('{"valid": tr'), { headers: { 'content-type': 'application/json' } }),
    ],
    ['that cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
  ])('is validated again by a platform %s', async (_, answer) => {
    const { clock, possible, run } = bench([answer]);
    expect(reasonOf(await run())).toMatch(/Validates again in 1 minute\.$/);
    await clock.advance(60_000);
    expect(possible).toEqual(['a']);
  });

  it('is validated again by a platform that never answers, whose request ends', async () => {
    const { clock, possible, requests, run } = bench([neverAnswered], { timeoutMs: 1 });
    expect(reasonOf(await run())).toMatch(/Validates again in 1 minute\.$/);
    expect(requests.every(({ signal }) => signal.aborted)).toBe(true);
    await clock.advance(60_000);
    expect(possible).toEqual(['a']);
  });

  it.each([
    ['refuses', () => failed(403)],
    ['does not know the branch', () => failed(404)],
    ['answers with a page', () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } })],
    [
      'answers with broken JSON',
      () => new Response('{"valid": tr', { headers: { 'content-type': 'application/json' } }),
    ],
  ])('waits for a save where the platform %s', async (_, answer) => {
    const { clock, possible, run } = bench([answer]);
    expect(reasonOf(await run())?.length).toBeGreaterThan(10);
    await clock.advance(24 * 3_600_000);
    expect(possible).toEqual([]);
  });

  it('is forgotten with its branch, its window or a later save', async () => {
    const { clock, folder, possible, run, start, validations } = bench([() => failed(500)]);
    await run();
    validations.forget('a');
    await run();
    const cancelled = new AbortController();
    const later = start('a', cancelled.signal);
    await clock.advance(1);
    cancelled.abort();
    await expect(later).rejects.toThrow('aborted');
    folder.changes = 1;
    await run();
    validations.dispose();
    folder.changes = 0;
    await clock.advance(24 * 3_600_000);
    expect(possible).toEqual([]);
  });
});

describe('two models of one window', () => {
  it('wait for themselves only', async () => {
    const { clock, possible, run, validations } = bench([() => failed(500)]);
    await run('a');
    await run('b');
    validations.forget('a');
    await clock.advance(60_000);
    expect(possible).toEqual(['b']);
  });
});

describe('the version of the engine', () => {
  it.each([
    ['is not known yet', () => new Promise<never>(() => undefined)],
    ['cannot be read', () => Promise.reject(new Error('offline'))],
  ])('does not hold up a verdict while it %s', async (_, get) => {
    const { run } = bench([valid], { get });
    expect(await run()).toEqual({ branch: 'dev-ann', version: undefined, state: 'compiled', errors: [] });
  });
});

describe('saves in a row', () => {
  it('are one request, of the last save, however they fall', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: burstMs - 1 }), { maxLength: 30 }), async (pauses) => {
        const { clock, requests, start } = bench([valid]);
        let controller = new AbortController();
        let last = start('a', controller.signal);
        for (const pause of pauses) {
          await clock.advance(pause);
          controller.abort();
          controller = new AbortController();
          last = start('a', controller.signal);
        }
        expect(await clock.run(last)).toMatchObject({ state: 'compiled' });
        expect(requests).toHaveLength(1);
      }),
      { numRuns: 10 },
    );
  });
});

/** Answers when the request is cancelled only. */
function neverAnswered({ signal }: Request): Promise<Response> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
  });
}

/** A body that breaks off. */
function cut(start: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(start)),
    pull: (controller) => controller.error(new TypeError('terminated')),
  });
}
