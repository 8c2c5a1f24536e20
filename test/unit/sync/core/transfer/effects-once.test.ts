import { afterEach, describe, expect, it, vi } from 'vitest';
import { originOf } from '#base/origin.ts';
import { type Client, createClient } from '#api/client/client.ts';
import { silentLogger } from '#base/log.ts';
import { unreachable } from '#base/result.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { sha1, TinyPlatform } from '#support/sync/tiny-platform.ts';
import { effectOf, finishEffects } from '#sync/core/transfer/effects.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import { createPlatformWriter } from '#sync/core/remote/platform-remote.ts';
import type { RemoteListing, RemoteWriter, WriteReply } from '#sync/core/ports.ts';
import { devBranch } from '#sync/core/target.ts';

const PATH = 'model/cubes/orders.yml';
const OTHER = 'model/cubes/renamed.yml';
const AWAY = 'model/cubes/elsewhere.yml';
const BASE = 'cubes: base\n';
const MINE = 'cubes: mine\n';
const THEIRS = 'cubes: theirs\n';
const uploaded = new TextEncoder().encode(MINE);

const effects = ['PUT', 'DELETE', 'rename', 'finish'] as const;
const faults = ['429', '503', 'lost reply', '401', 'cut body', 'timeout'] as const;
const positions = ['first effect', 'second effect', 'first two effects'] as const;
const colleagues = ['nothing', 'changes', 'deletes', 'renames'] as const;

interface Case {
  readonly effect: (typeof effects)[number];
  readonly fault: (typeof faults)[number];
  readonly position: (typeof positions)[number];
  readonly colleague: (typeof colleagues)[number];
  readonly honours: boolean;
}

const cases: readonly Case[] = effects.flatMap((effect) =>
  faults.flatMap((fault) =>
    positions.flatMap((position) =>
      colleagues.flatMap((colleague) =>
        [true, false].map((honours) => ({ effect, fault, position, colleague, honours })),
      ),
    ),
  ),
);

const entries: Readonly<Record<Case['effect'], PlanEntry>> = {
  PUT: { kind: 'upload', path: PATH, reason: 'changed', hash: sha1(MINE), size: 1, expectedRemote: sha1(BASE) },
  finish: { kind: 'upload', path: PATH, reason: 'changed', hash: sha1(MINE), size: 1, expectedRemote: sha1(BASE) },
  DELETE: { kind: 'deleteRemote', path: PATH, expectedRemote: sha1(BASE), size: 1 },
  rename: { kind: 'renameRemote', from: PATH, path: OTHER, hash: sha1(BASE), size: 1 },
};

/** A server, a client with its usual retries and a fault at the chosen attempts of the effect. */
function stage(chosen: Case): { platform: TinyPlatform; clock: ManualClock; client: Client; sent: () => number } {
  const platform = new TinyPlatform({ [PATH]: BASE }, { honours: chosen.honours });
  const clock = new ManualClock();
  let token = 'old';
  let attempts = 0;
  const struck = { 'first effect': [1], 'second effect': [2], 'first two effects': [1, 2] }[chosen.position];
  const client = createClient({
    baseUrl: 'http://127.0.0.1',
    credential: () => ({ kind: 'bearer', token, origin: originOf('http://127.0.0.1') }),
    onUnauthorized: () => Promise.resolve(((token = 'new'), true)),
    logger: silentLogger,
    clock,
    random: () => 0.5,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (!isEffect(request)) return platform.answer(request);
      attempts += 1;
      // The second effect is only reached after another fault: an outage of a moment.
      if (chosen.position === 'second effect' && attempts === 1) return Response.json({}, { status: 502 });
      if (!struck.includes(attempts)) return platform.answer(request);
      return strike(chosen, platform, request);
    },
  });
  return { platform, clock, client, sent: () => attempts };
}

function isEffect({ method, url }: Request): boolean {
  return method !== 'GET' && !/upload\/(?:start|file)$/.test(url);
}

async function strike(chosen: Case, platform: TinyPlatform, request: Request): Promise<Response> {
  const answer = await answerOf(chosen.fault, platform, request);
  meddle(chosen.colleague, platform);
  return answer();
}

/** What the fault does on the platform, and then to the reply. */
async function answerOf(
  fault: Case['fault'],
  platform: TinyPlatform,
  request: Request,
): Promise<() => Promise<Response>> {
  switch (fault) {
    case '429':
      return () => Promise.resolve(Response.json({}, { status: 429, headers: { 'retry-after': '7' } }));
    case '503':
      return () => Promise.resolve(Response.json({}, { status: 503 }));
    case '401':
      return () => Promise.resolve(Response.json({}, { status: 401 }));
    case 'lost reply':
      await platform.answer(request.clone());
      return () => Promise.reject(new TypeError('fetch failed'));
    case 'cut body': {
      const { status, headers } = await platform.answer(request.clone());
      const body = new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) });
      return () => Promise.resolve(new Response(status === 204 ? null : body, { status, headers }));
    }
    case 'timeout':
      return () => {
        queueMicrotask(() => vi.advanceTimersByTime(10 * 60_000));
        return new Promise(() => undefined);
      };
    default:
      return unreachable(fault);
  }
}

function meddle(colleague: Case['colleague'], { files }: TinyPlatform): void {
  const path = files.has(PATH) ? PATH : files.has(OTHER) ? OTHER : PATH;
  if (colleague === 'changes') files.set(path, THEIRS);
  else if (colleague === 'deletes') files.delete(path);
  else if (colleague === 'renames') {
    files.delete(path);
    files.set(AWAY, THEIRS);
  }
}

async function play(chosen: Case, weaken: (client: Client) => Client = (client) => client) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { platform, clock, client, sent } = stage(chosen);
  const branch = devBranch('dev-a');
  if (!branch.ok) throw new Error(branch.error);
  const writer = createPlatformWriter({ client: weaken(client), deployment: 7, branch: branch.value });
  const effect = effectOf(entries[chosen.effect]);
  if (!effect) throw new Error('An entry without an effect.');
  const how = chosen.effect === 'finish' ? ('allOrNothing' as const) : ('conditional' as const);
  const send = await sender(chosen.effect, writer);
  const work = finishEffects([effect], (_, fresh) => send(fresh), {
    remote: writer,
    clock,
    signal: undefined,
    listsFirst: how === 'allOrNothing' || !writer.honoursPreconditions,
    how,
  });
  const settled = await clock.run(work);
  return { settled, files: platform.files, sent: sent() };
}

async function sender(
  effect: Case['effect'],
  writer: RemoteWriter,
): Promise<(fresh: RemoteListing | undefined) => Promise<WriteReply>> {
  const expected = sha1(BASE);
  switch (effect) {
    case 'PUT':
      return () => writer.put([{ path: PATH, bytes: uploaded, hash: sha1(MINE), expected }]);
    case 'DELETE':
      return () => writer.remove([{ path: PATH, expected }]);
    case 'rename':
      return () => writer.rename([{ from: PATH, to: OTHER, expected }]);
    case 'finish': {
      const transaction = await writer.startUpload();
      await transaction.upload(PATH, uploaded);
      return (fresh) => {
        const manifest = new Map([...(fresh?.files ?? [])].map(([path, { hash }]) => [path, hash]));
        return transaction.finish(manifest.set(PATH, sha1(MINE)), false);
      };
    }
    default:
      return unreachable(effect);
  }
}

/** Whether what the colleague did stands. */
function stands({ colleague }: Case, files: ReadonlyMap<string, string>): boolean {
  switch (colleague) {
    case 'nothing':
      return true;
    case 'changes':
    case 'renames':
      return [...files.values()].includes(THEIRS);
    case 'deletes':
      return !files.has(PATH) && !files.has(OTHER);
    default:
      return unreachable(colleague);
  }
}

afterEach(() => vi.useRealTimers());

describe('an effect whose first attempt went wrong', () => {
  it('ends well in each of 576 ways', () => expect(cases).toHaveLength(576));

  it.each(effects.flatMap((effect) => faults.map((fault) => [effect, fault] as const)))(
    'takes nothing from a colleague who came in between: %s, %s',
    async (effect, fault) => {
      const losses: unknown[] = [];
      for (const chosen of cases.filter((each) => each.effect === effect && each.fault === fault)) {
        const { files, settled } = await play(chosen);
        if (!stands(chosen, files)) losses.push(chosen);
        // Without interference it is done in the end.
        if (chosen.colleague === 'nothing' && settled.done.length + settled.confirmed.length !== 1)
          losses.push({ ...chosen, settled });
      }
      expect(losses).toEqual([]);
    },
  );

  it('goes out once where the first attempt was carried out and only its reply was lost', async () => {
    for (const effect of effects) {
      const lost = {
        effect,
        fault: 'lost reply',
        position: 'first effect',
        colleague: 'nothing',
        honours: false,
      } as const;
      expect({ effect, sent: (await play(lost)).sent }).toEqual({ effect, sent: 1 });
    }
  });

  it.each(['429', '503', '401'] as const)('shows when a client repeats it automatically: %s', async (fault) => {
    const blind = (client: Client): Client => ({
      call: (op, request, options) => client.call(op, request, { ...options, once: false }),
      open: (op, request, options) => client.open(op, request, { ...options, once: false }),
    });
    const lost = new Set<string>();
    for (const chosen of cases.filter((each) => each.fault === fault && !each.honours)) {
      const { files } = await play(chosen, blind);
      if (!stands(chosen, files)) lost.add(chosen.effect);
    }
    expect([...lost]).toEqual(expect.arrayContaining(['PUT', 'DELETE']));
  });
});
