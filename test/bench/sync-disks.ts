// npm run bench -- sync-disks [--part calls|DISK] [--count SCHEDULES]: every call of the disk that fails with every code; then the disk
// simulator on every real disk that this machine can mount, and the sync tests there. With a part, only that.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { anySchedule, ROUNDS } from '#support/sync/any-schedule.ts';
import { callsOf, failures, judge, type Operation, operations, thorough } from '#support/sync/disk-faults.ts';
import { mountedEngine } from '#support/sync/disk-world.ts';
import { mountDisk, type RealDisk, realDisks } from '#support/sync/real-disks.ts';
import { live } from '#support/sync/schedule.ts';
import { TEST_DISK } from '#support/sync/test-disk.ts';
import type { Bench, Figure } from './figures.ts';

const SCHEDULES = 1000;
/** Of each kind of call, so many fail one after the other, with every code. */
const FAULTY_CALLS = 5;
const FIRST_SEED = 2_000_000;
/** Where the tests lie that may be about a disk. */
const TESTS = ['test/unit/sync'];
/** What a test takes its folders from that lie on the disk then. */
const ON_DISK = /sync\/(test-disk|linked-folder|disk|working-day)\.ts/;
/** Tests that simulate a disk, or mount one of their own. */
const ELSEWHERE = /simulated|real-disks\.ts/;
/** A driver in user space is many times slower than a disk, and not what is tested. */
const PATIENCE = '--testTimeout=300000';
/** Where the results of the tests are written. */
const REPORT = 'sync-disks-tests.json';

export const run: Bench = async ({ quick, part, count = quick ? 10 : SCHEDULES }) => {
  const figures: Figure[] = [];
  const isChosen = (name: string): boolean => part === undefined || part === name;
  for (const operation of isChosen('calls') ? operations : [])
    figures.push(await faults(operation, quick ? 1 : FAULTY_CALLS));
  for (const disk of realDisks.filter(({ name }) => isChosen(name)))
    figures.push(...(await onDisk(disk, count, !quick)));
  if (figures.length === 0)
    throw new Error(`Nothing was run. Parts: calls, ${realDisks.map(({ name }) => name).join(', ')}.`);
  return figures;
};

async function faults(operation: Operation, occurrences: number): Promise<Figure> {
  const wrong: string[] = [];
  let count = 0;
  for (const failing of failures(await callsOf(operation), thorough(occurrences))) {
    wrong.push(...(await judge(operation, failing)));
    count += 1;
  }
  if (wrong.length > 0) console.error(wrong.slice(0, 20).join('\n'));
  const id = `${operation.name}: ${count} calls that fail`;
  return { id, value: wrong.length, unit: 'sessions that do not heal', reach: 0, ok: wrong.length === 0 };
}

async function onDisk(disk: RealDisk, count: number, withTests: boolean): Promise<readonly Figure[]> {
  const mounted = mountDisk(disk);
  if (mounted.kind === 'skipped') {
    console.error(`${disk.name}: skipped, because ${mounted.reason}`);
    return [];
  }
  try {
    const figures = [await schedules(disk, mounted.folder, count)];
    return withTests ? [...figures, tests(disk, mounted.folder)] : figures;
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
    const done = seed + 1 - FIRST_SEED;
    if (done % 10 === 0) console.error(`${disk.name}: ${done} schedules, ${failing.length} bad`);
  }
  if (failing.length > 0) console.error(`${disk.name}: failing seeds ${failing.slice(0, 20).join(', ')}`);
  const id = `${disk.name}: lost or stuck in ${count} schedules`;
  return { id, value: failing.length, unit: 'schedules', reach: 0, ok: failing.length === 0 };
}

/** The sync tests whose folders can lie on the disk. */
function tests(disk: RealDisk, folder: string): Figure {
  const output = path.join(mkdtempSync(path.join(tmpdir(), 'sync-disks-')), REPORT);
  try {
    spawnSync('vitest', ['run', ...testsOnDisk(), '--reporter=json', `--outputFile=${output}`, PATIENCE], {
      env: { ...process.env, [TEST_DISK]: folder },
      stdio: 'ignore',
    });
    const { numPassedTests, testResults } = JSON.parse(readFileSync(output, 'utf8')) as TestReport;
    const all = testResults.flatMap(({ assertionResults }) => assertionResults);
    const failed = all.filter(({ status }) => status !== 'passed');
    const files = testResults.filter(
      ({ status, assertionResults }) => status !== 'passed' && assertionResults.length === 0,
    );
    for (const { fullName, failureMessages } of failed)
      console.error(`${disk.name}: ${fullName}\n${failureMessages[0] ?? ''}`);
    for (const { name, message } of files) console.error(`${disk.name}: ${name}\n${message}`);
    const value = failed.length + files.length;
    const id = `${disk.name}: tests that fail`;
    return { id, value, unit: `tests, ${numPassedTests} pass`, reach: 0, ok: value === 0 && numPassedTests > 0 };
  } finally {
    rmSync(path.dirname(output), { recursive: true, force: true });
  }
}

/** What vitest writes, as far as it is read here. */
interface TestReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

function testsOnDisk(): readonly string[] {
  const root = path.join(import.meta.dirname, '../..');
  const files = TESTS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  );
  return files.filter((file) => {
    if (!file.endsWith('.test.ts')) return false;
    const text = readFileSync(path.join(root, file), 'utf8');
    return ON_DISK.test(text) && !ELSEWHERE.test(text);
  });
}
