// npm run bench -- sync-soak [--part pure|desks|disks|weak|day|kills] [--from SEED] [--count N]: the long runs of the sync engine's proof. Millions of schedules, a thousand real kills.
import { rmSync } from 'node:fs';
import { originOf } from '#base/origin.ts';
import { startDevMode } from '#api/resources/branches.ts';
import { createClient } from '#api/client/client.ts';
import { silentLogger } from '#base/log.ts';
import { createPlatform } from '#platform/app.ts';
import type { Engine } from '#platform/engine/index.ts';
import { buildKillPrograms, KillLane } from '#support/sync/kill-lane.ts';
import { diskEngines } from '#support/sync/disk-world.ts';
import { anySchedule, ROUNDS } from '#support/sync/any-schedule.ts';
import { randomSchedule } from '#support/sync/random-schedule.ts';
import { type EngineVariant, live, type Verdict } from '#support/sync/schedule.ts';
import {
  folderEngine,
  folderWithoutConditions,
  realEngine,
  realWithoutConditions,
  weakEngines,
} from '#support/sync/weak-engines.ts';
import { liveTogether, randomDesks } from '#support/sync/two-desks.ts';
import { liveThroughHours } from '#support/sync/working-day.ts';
import type { Bench, BenchOptions, Figure } from './figures.ts';

const SCHEDULES = 5_000_000;
/** Of two people, each with a folder of the same branch. */
const DESK_SCHEDULES = 200_000;
/** With the real disk layer on simulated disks. */
const DISK_SCHEDULES = 200_000;
const KILLS = 1000;
/** Hours of a busy team on a real disk, lived through without the waiting. */
const HOURS = 24;
/** First seed of the long run: the ordinary tests live through the ones below. */
const FIRST_SEED = 1_000_000;

/** Builds are not what is measured here. */
const idleEngine: Engine = {
  compile: () => Promise.resolve({ ok: true, cubes: 0, views: 0, meta: [], compilerId: 'idle' }),
  sql: () => Promise.resolve({ ok: false, type: 'Error', error: 'The idle engine generates no SQL.' }),
  close: () => Promise.resolve(),
};

type Parts = Readonly<Record<string, (options: BenchOptions) => Promise<readonly Figure[]>>>;

const parts: Parts = {
  pure: ({ quick, from = FIRST_SEED, count = quick ? 20_000 : SCHEDULES }) =>
    soak({ name: 'the pure engine', from, count, lifeOf: pureLife }),
  desks: ({ quick, from = FIRST_SEED, count = quick ? 2000 : DESK_SCHEDULES }) =>
    soak({ name: 'two people', from, count, lifeOf: deskLife }),
  disks: ({ quick, from = FIRST_SEED, count = quick ? 2000 : DISK_SCHEDULES }) =>
    soak({ name: 'the engine on simulated disks', from, count, lifeOf: diskLife }),
  weak: async () => [await caught()],
  day: ({ quick }) => day(quick ? 1 : HOURS),
  kills: ({ quick, count = quick ? 20 : KILLS }) => kills(count),
};

/** All parts, or one of them with the seeds that are asked for: so a long run can be made piece by piece. */
export const run: Bench = async (options) => {
  const { part: name } = options;
  const chosen = name === undefined ? Object.values(parts) : [parts[name]];
  const figures: Figure[] = [];
  for (const part of chosen) {
    if (!part) throw new Error(`There is no part “${name}”, only: ${Object.keys(parts).join(', ')}.`);
    figures.push(...(await part(options)));
  }
  return figures;
};

/** An engine, and what it lives through. */
interface Life {
  readonly engine: EngineVariant;
  readonly live: () => Promise<Verdict>;
}

/** Each engine meets every kind of schedule; the ones that the extension runs cost more and come less often. */
const pureEngines: readonly EngineVariant[] = [
  ...[realEngine, realEngine, realEngine, realEngine, folderEngine],
  ...[realWithoutConditions, realWithoutConditions, realWithoutConditions, realWithoutConditions],
  folderWithoutConditions,
];
const onEachDisk = diskEngines.flatMap((engine) => [engine, { ...engine, asFolder: true }]);
/** More than there are kinds of schedules, so that kinds and engines do not go in step. */
const RUN = 101;

const pureLife = (seed: number): Life => lifeOfAny(turnOf(pureEngines, seed), seed);
const diskLife = (seed: number): Life => lifeOfAny(turnOf(onEachDisk, seed), seed);

function lifeOfAny(engine: EngineVariant, seed: number): Life {
  return { engine, live: () => live(anySchedule(seed), engine, { rounds: ROUNDS }) };
}

/** As in the nasty schedules: in turn as the extension runs the engine, or at once, call by call. */
function deskLife(seed: number): Life {
  const isAtOnce = seed % 2 === 0;
  const engine = isAtOnce ? realEngine : turnOf([realEngine, folderEngine], seed);
  return { engine, live: () => liveTogether(randomDesks(seed, isAtOnce), engine) };
}

function turnOf(engines: readonly EngineVariant[], seed: number): EngineVariant {
  return engines[Math.floor(seed / RUN) % engines.length] ?? realEngine;
}

interface Soak {
  readonly name: string;
  readonly from: number;
  readonly count: number;
  readonly lifeOf: (seed: number) => Life;
}

/** Lives through seeds in turn and says on the way how far it is. */
async function soak({ name, from, count, lifeOf }: Soak): Promise<Figure[]> {
  const started = process.cpuUsage();
  const failing: number[] = [];
  for (let seed = from; seed < from + count; seed++) {
    const { engine, live: liveThrough } = lifeOf(seed);
    const { violations } = await liveThrough();
    if (violations.length > 0) {
      failing.push(seed);
      console.error(`${engine.name}: seed ${seed}: ${violations.join('; ')}`);
    }
    const done = seed + 1 - from;
    if (done % 1000 === 0) console.error(`${name}: seeds ${from} to ${seed}: ${done} done, ${failing.length} bad`);
  }
  const { user, system } = process.cpuUsage(started);
  return [
    { id: `${name}: schedules`, value: count, unit: 'schedules', ok: true },
    { id: `${name}: bad`, value: failing.length, unit: 'schedules', reach: 0, ok: failing.length === 0 },
    { id: `${name}: processor time`, value: (user + system) / 1000 / count, unit: 'ms a schedule', ok: true },
  ];
}

async function caught(): Promise<Figure> {
  let count = 0;
  for (const engine of weakEngines) {
    for (let seed = 1; seed <= 10_000; seed++) {
      if ((await live(randomSchedule(seed), engine)).violations.length === 0) continue;
      count += 1;
      break;
    }
  }
  return {
    id: 'weakened engines caught',
    value: count,
    unit: 'engines',
    reach: weakEngines.length,
    ok: count === weakEngines.length,
  };
}

async function day(hours: number): Promise<Figure[]> {
  const platform = await createPlatform({ engine: idleEngine });
  try {
    const { events, cuts, conflicts, problems } = await liveThroughHours(platform, hours, FIRST_SEED);
    if (problems.length > 0) console.error(problems.slice(0, 20).join('\n'));
    const id = `${hours} hours of work, compared each hour`;
    return [
      { id, value: events, unit: `events, ${cuts} cuts, ${conflicts} conflicts`, ok: true },
      { id: `${id}: differences`, value: problems.length, unit: 'files', reach: 0, ok: problems.length === 0 },
    ];
  } finally {
    await platform.close();
    rmSync(platform.dataDir, { recursive: true, force: true });
  }
}

async function kills(count: number): Promise<Figure[]> {
  const platform = await createPlatform({ engine: idleEngine });
  const programs = await buildKillPrograms();
  try {
    const { url } = await platform.listen();
    const client = createClient({
      baseUrl: url,
      credential: () => ({ kind: 'bearer', token: platform.apiKey, origin: originOf(url) }),
      logger: silentLogger,
    });
    const { name } = await client.call(startDevMode, { params: { deploymentId: '1' }, body: { branchName: 'main' } });
    const lane = new KillLane({ url, key: platform.apiKey, branch: name }, programs, 'soak');
    await lane.prepare();
    const { points } = await lane.round(0, 0);
    const problems: string[] = [];
    for (let number = 0; number < count; number++) {
      problems.push(...(await lane.round(1 + (number % points), number + 1)).problems);
    }
    if (problems.length > 0) console.error(problems.slice(0, 20).join('\n'));
    return [
      { id: 'kill -9', value: count, unit: `kills at ${points} points`, ok: true },
      {
        id: 'kill -9: lost, stuck or left behind',
        value: problems.length,
        unit: 'files',
        reach: 0,
        ok: problems.length === 0,
      },
    ];
  } finally {
    await platform.close();
    rmSync(programs.folder, { recursive: true, force: true });
    rmSync(platform.dataDir, { recursive: true, force: true });
  }
}
