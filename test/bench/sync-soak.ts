// npm run bench -- sync-soak: the long runs of the sync engine's proof. Millions of schedules, a thousand real kills.
import { rmSync } from 'node:fs';
import { startDevMode } from '#api/branches.ts';
import { createClient } from '#api/client.ts';
import { silentLogger } from '#base/log.ts';
import { createPlatform } from '#platform/app.ts';
import type { Engine } from '#platform/engine/index.ts';
import { buildKillPrograms, KillLane } from '#support/sync/kill-lane.ts';
import { diskEngines } from '#support/sync/disk-world.ts';
import { anySchedule, ROUNDS } from '#support/sync/any-schedule.ts';
import { randomSchedule } from '#support/sync/random-schedule.ts';
import { type EngineVariant, live } from '#support/sync/schedule.ts';
import {
  folderEngine,
  folderWithoutConditions,
  realEngine,
  realWithoutConditions,
  weakEngines,
} from '#support/sync/weak-engines.ts';
import { liveThroughHours } from '#support/sync/working-day.ts';
import type { Bench, Figure } from './figures.ts';

const SCHEDULES = 5_000_000;
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

export const run: Bench = async ({ quick }) => {
  const schedules = quick ? 20_000 : SCHEDULES;
  const figures: Figure[] = [];
  for (const engine of [realEngine, realWithoutConditions]) figures.push(...(await soak(engine, schedules * 0.4)));
  for (const engine of [folderEngine, folderWithoutConditions]) figures.push(...(await soak(engine, schedules * 0.1)));
  const onDisks = (quick ? 2000 : DISK_SCHEDULES) / diskEngines.length;
  for (const engine of diskEngines) figures.push(...(await soak(engine, onDisks, anySchedule)));
  figures.push(await caught());
  figures.push(...(await day(quick ? 1 : HOURS)));
  figures.push(...(await kills(quick ? 20 : KILLS)));
  return figures;
};

async function soak(engine: EngineVariant, count: number, schedule = randomSchedule): Promise<Figure[]> {
  const started = performance.now();
  const failing: number[] = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + count; seed++) {
    const { violations } = await live(schedule(seed), engine, { rounds: ROUNDS });
    if (violations.length > 0) failing.push(seed);
    if (seed % 250_000 === 0 && seed > FIRST_SEED) console.error(`${engine.name}: ${seed - FIRST_SEED} schedules`);
  }
  if (failing.length > 0) console.error(`${engine.name}: failing seeds ${failing.slice(0, 20).join(', ')}`);
  const perSecond = count / ((performance.now() - started) / 1000);
  return [
    { id: `${engine.name}: schedules`, value: count, unit: 'schedules', ok: true },
    {
      id: `${engine.name}: lost or stuck`,
      value: failing.length,
      unit: 'schedules',
      reach: 0,
      ok: failing.length === 0,
    },
    { id: `${engine.name}: speed`, value: perSecond, unit: 'schedules/s', ok: true },
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
      credential: () => ({ kind: 'bearer', token: platform.apiKey }),
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
