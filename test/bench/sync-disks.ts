// npm run bench -- sync-disks [--part calls|DISK]: every call of the disk that fails with every code; then the disk
// simulator on every real disk that this machine can mount, and the sync tests there. With a part, only that.
import { spawnSync } from 'node:child_process';
import { anySchedule, ROUNDS } from '#support/sync/any-schedule.ts';
import { callsOf, failures, judge, type Operation, operations } from '#support/sync/disk-faults.ts';
import { mountedEngine } from '#support/sync/disk-world.ts';
import { mountDisk, type RealDisk, realDisks } from '#support/sync/real-disks.ts';
import { live } from '#support/sync/schedule.ts';
import type { Bench, Figure } from './figures.ts';

const SCHEDULES = 1000;
/** Of each kind of call, so many fail one after the other, with every code. */
const FAULTY_CALLS = 5;
const FIRST_SEED = 2_000_000;
/** Tests whose folders lie in the folder for temporary files, which is on the disk then. */
const SUITE = ['test/unit/sync', 'test/unit/node'];
/** Tests that never touch the disk, or make one of their own. */
const ELSEWHERE = ['**/*simulator*', '**/nasty-schedules*', '**/real-disks*', '**/kill*', '**/planner*'];

export const run: Bench = async ({ quick, part }) => {
  const figures: Figure[] = [];
  const isChosen = (name: string): boolean => part === undefined || part === name;
  for (const operation of isChosen('calls') ? operations : [])
    figures.push(await faults(operation, quick ? 1 : FAULTY_CALLS));
  for (const disk of realDisks.filter(({ name }) => isChosen(name))) figures.push(...(await onDisk(disk, quick)));
  if (figures.length === 0)
    throw new Error(`Nothing was run. Parts: calls, ${realDisks.map(({ name }) => name).join(', ')}.`);
  return figures;
};

async function faults(operation: Operation, occurrences: number): Promise<Figure> {
  const wrong: string[] = [];
  let count = 0;
  for (const failing of failures(await callsOf(operation), occurrences)) {
    wrong.push(...(await judge(operation, failing)));
    count += 1;
  }
  if (wrong.length > 0) console.error(wrong.slice(0, 20).join('\n'));
  const id = `${operation.name}: ${count} calls that fail`;
  return { id, value: wrong.length, unit: 'sessions that do not heal', reach: 0, ok: wrong.length === 0 };
}

async function onDisk(disk: RealDisk, quick: boolean): Promise<readonly Figure[]> {
  const mounted = mountDisk(disk);
  if (mounted.kind === 'skipped') {
    console.error(`${disk.name}: skipped, because ${mounted.reason}`);
    return [];
  }
  try {
    const figures = [await schedules(disk, mounted.folder, quick ? 10 : SCHEDULES)];
    return quick ? figures : [...figures, suite(disk, mounted.folder)];
  } finally {
    mounted.unmount();
  }
}

async function schedules(disk: RealDisk, folder: string, count: number): Promise<Figure> {
  const engine = mountedEngine(disk.name, folder);
  const failing: number[] = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + count; seed++) {
    const { violations } = await live(anySchedule(seed), engine, { rounds: ROUNDS });
    if (violations.length > 0) failing.push(seed);
  }
  if (failing.length > 0) console.error(`${disk.name}: failing seeds ${failing.slice(0, 20).join(', ')}`);
  const id = `${disk.name}: lost or stuck in ${count} schedules`;
  return { id, value: failing.length, unit: 'schedules', reach: 0, ok: failing.length === 0 };
}

function suite(disk: RealDisk, folder: string): Figure {
  const args = ['run', ...SUITE, ...ELSEWHERE.flatMap((pattern) => ['--exclude', pattern])];
  const { status, stdout } = spawnSync('vitest', args, {
    env: { ...process.env, TMPDIR: folder },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) console.error(`${disk.name}:\n${stdout.slice(-4000)}`);
  return { id: `${disk.name}: sync tests`, value: status ?? -1, unit: 'exit code', reach: 0, ok: status === 0 };
}
