import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { scanFolder } from '#sync/disk/scan.ts';
import type { ScanJob } from '#sync/disk/scan-job.ts';
import { loadTable, saveTable } from '#sync/disk/stat-file.ts';
import { StatTable } from '#sync/disk/stat-table.ts';
import { newFolder } from '#support/sync/test-disk.ts';

const NAMES = ['a', 'b.yml', 'c.yml', 'd.tmp', 'café.yml', 'cafe\u0301.yml'];
const RULES: readonly (readonly string[])[] = [[], ['a/'], ['*.yml', '!c.yml'], ['model']];

/** What one listener of many scans knows of a folder. */
class Listener {
  readonly files = new Map<string, string>();
  #table = new StatTable();
  #round = 0;
  hashed = 0;

  /** As the next process finds it. */
  restart(file: string): void {
    saveTable(file, this.#table);
    this.#table = loadTable(file);
    rmSync(file);
  }

  scan(job: ScanJob): unknown {
    this.#round += 1;
    const summary = scanFolder(job, {
      table: this.#table,
      round: this.#round,
      found: ({ path: file, hash, size }) => this.files.set(file, `${hash} ${size}`),
    });
    for (const gone of this.#table.sweep(this.#round)) this.files.delete(gone);
    this.hashed = summary.hashed;
    const { frozen, aliases, complete, root } = summary;
    return { files: new Map(this.files), frozen: new Map(frozen), aliases: new Map(aliases), complete, root };
  }
}

type Change =
  | { readonly kind: 'write' | 'remove' | 'folder' | 'link'; readonly at: string }
  | { readonly kind: 'rename'; readonly at: string; readonly to: string };

function change(root: string, { at, ...rest }: Change, count: number): void {
  const file = path.join(root, at);
  try {
    if (rest.kind === 'rename') renameSync(file, path.join(root, rest.to));
    else if (rest.kind === 'remove') rmSync(file, { recursive: true, force: true, maxRetries: 3 });
    else if (rest.kind === 'folder') mkdirSync(file, { recursive: true });
    else if (rest.kind === 'link') symlinkSync('a', file);
    else {
      mkdirSync(path.dirname(file), { recursive: true });
      // Each version has another length: time stamps are not tested here.
      writeFileSync(file, 'x'.repeat(count));
    }
  } catch {
    // Not possible as things are: nothing changed.
  }
}

const somewhere = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map((segments) => segments.join('/'));
const changes: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), at: somewhere }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('remove', 'folder', 'link'), at: somewhere }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), at: somewhere, to: somewhere }) },
);
const step = fc.record({
  changes: fc.array(changes, { maxLength: 4 }),
  /** Mostly those of the last step. */
  rules: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...RULES) },
  ),
  maxFileSize: fc.constantFrom(1000, 1000, 20),
});

let home: string;

beforeEach(() => {
  home = newFolder('scan-');
  // A file that was hashed long after its change is trusted: only then is anything remembered.
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + 60_000);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});

describe('a scan that remembers the last one', () => {
  it('sees what a scan that knows nothing sees, whatever happened in between', () => {
    let runs = 0;
    fc.assert(
      fc.property(fc.constantFrom(...RULES), fc.array(step, { minLength: 2, maxLength: 8 }), (first, steps) => {
        const root = path.join(home, String(++runs));
        mkdirSync(root);
        const listener = new Listener();
        let count = 0;
        let ignoreLines: readonly string[] = first;
        for (const { changes: made, rules, maxFileSize } of steps) {
          ignoreLines = rules ?? ignoreLines;
          for (const each of made) change(root, each, ++count);
          const job = { root, prefix: 'model', ignoreLines, verify: false, maxFileSize };
          expect(listener.scan(job)).toEqual(new Listener().scan(job));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('sees that a folder which a rule left out is a file now', () => {
    const listener = new Listener();
    const job = { root: home, prefix: 'model', ignoreLines: ['a/'], verify: false, maxFileSize: 1000 };
    change(home, { kind: 'write', at: 'a/b.yml' }, 1);
    listener.scan(job);
    change(home, { kind: 'remove', at: 'a' }, 0);
    change(home, { kind: 'write', at: 'a' }, 2);
    expect(listener.scan(job)).toEqual(new Listener().scan(job));
    expect([...listener.files.keys()]).toEqual(['model/a']);
  });

  it('reads nothing of a folder without a change, and one file of a folder with one', () => {
    const listener = new Listener();
    const job = { root: home, prefix: 'model', ignoreLines: [], verify: false, maxFileSize: 1000 };
    for (let at = 0; at < 50; at++) change(home, { kind: 'write', at: `f${at % 5}/${at}.yml` }, at + 1);
    listener.scan(job);
    expect(listener.hashed).toBe(50);
    listener.scan(job);
    expect(listener.hashed).toBe(0);
    change(home, { kind: 'write', at: 'f1/1.yml' }, 900);
    listener.scan(job);
    expect(listener.hashed).toBe(1);
    listener.scan({ ...job, verify: true });
    expect(listener.hashed).toBe(50);
  });

  it('reads every file again after a week, and says so in its table', () => {
    const now = Date.now();
    const listener = new Listener();
    const job = { root: home, prefix: 'model', ignoreLines: [], verify: false, maxFileSize: 1000 };
    for (const at of ['a', 'b.yml']) change(home, { kind: 'write', at }, at.length);
    listener.scan(job);
    const days = (count: number): void => void vi.mocked(Date.now).mockReturnValue(now + count * 86_400_000);
    const hashed = [6, 8, 9, 16].map((day) => {
      days(day);
      listener.restart(path.join(home, '..', `${path.basename(home)}.table`));
      listener.scan(job);
      return listener.hashed;
    });
    expect(hashed).toEqual([0, 2, 0, 2]);
  });
});
