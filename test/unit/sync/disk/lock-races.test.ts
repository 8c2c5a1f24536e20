import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Disk } from '#sync/disk/disk.ts';
import type { DiskCalls } from '#sync/disk/disk-calls.ts';
import { LockFile, type LockMachine } from '#sync/disk/lock-file.ts';
import { settled } from '#support/manual-clock.ts';
import { problem, SimulatedDisk } from '#support/sync/simulated-disk.ts';
import { STORAGE } from '#support/sync/simulated-ports.ts';

const FILE = `${STORAGE}/lock`;
const WINDOWS = 3;
const RUNS = 300;

type Act = 'acquire' | 'isHeld' | 'release' | 'end';

interface Step {
  /** Which window continues, and for how many calls: races need few changes, at the right places. */
  readonly pid: number;
  readonly calls: number;
  /** Whether its call of the disk fails, before or after it did something. */
  readonly fault: 'before' | 'after' | undefined;
}

/** Windows of one folder, whose calls of the disk go one at a time in any order, and a machine that knows which of them run. */
class Windows {
  readonly disk: SimulatedDisk;
  readonly running = new Set<number>();
  readonly writers = new Set<number>();
  /** The most that ever took themselves for the writer at once. */
  most = 0;
  elapsed = 0;
  readonly #waiting: { readonly pid: number; readonly go: (fault: Step['fault']) => void }[] = [];
  #isQuiet = false;

  constructor(noHardLinks: boolean) {
    this.disk = new SimulatedDisk({ name: 'a disk', noHardLinks });
  }

  lockOf(pid: number): LockFile {
    this.running.add(pid);
    const machine: LockMachine = {
      pid,
      elapsed: () => this.elapsed,
      uptime: () => 1000,
      bootId: () => 'a-boot',
      isRunning: (each) => this.running.has(each),
    };
    return new LockFile(new Disk(this.#calls(pid)), FILE, machine);
  }

  async play(pid: number, acts: readonly Act[]): Promise<void> {
    const lock = this.lockOf(pid);
    for (const act of acts) {
      try {
        await this.#do(lock, pid, act);
      } catch {
        // The window notifies its user, and continues.
      }
    }
  }

  /** Carries calls out in this order, then the rest as they come. */
  async go(steps: readonly Step[]): Promise<void> {
    for (const { pid, calls, fault } of steps) {
      for (let call = 1; call <= calls; call++) {
        await settled();
        const at = this.#waiting.findIndex((waiting) => waiting.pid === pid);
        if (at === -1) break;
        const [next] = this.#waiting.splice(at, 1);
        next?.go(call === calls ? fault : undefined);
      }
    }
    for (await settled(); this.#waiting.length > 0; await settled()) this.#waiting.shift()?.go(undefined);
  }

  /** From now on nothing waits and nothing fails. */
  calm(): void {
    this.#isQuiet = true;
  }

  async #do(lock: LockFile, pid: number, act: Act): Promise<void> {
    switch (act) {
      case 'acquire':
        if (await lock.acquire()) this.writers.add(pid);
        break;
      case 'isHeld':
        if (!(await lock.isHeld())) this.writers.delete(pid);
        break;
      case 'release':
        this.writers.delete(pid);
        await lock.release();
        break;
      case 'end':
        this.writers.delete(pid);
        this.running.delete(pid);
        // A process that has ended does nothing more.
        await new Promise(() => undefined);
        break;
      default:
        act satisfies never;
    }
    this.most = Math.max(this.most, this.writers.size);
  }

  #calls(pid: number): DiskCalls {
    const calls = this.disk.calls((_call, _isWrite, effect) => effect());
    const inTurn = <T>(effect: () => Promise<T>): Promise<T> =>
      this.#isQuiet
        ? effect()
        : new Promise<T>((resolve, reject) => {
            const go = (fault: Step['fault']): void => {
              const broken = problem('EIO', FILE);
              if (fault === 'before') reject(broken);
              else
                effect().then((value) => {
                  if (fault === 'after') reject(broken);
                  else resolve(value);
                }, reject);
            };
            this.#waiting.push({ pid, go });
          });
    return {
      ...calls,
      open: (file, flags, mode) => inTurn(() => calls.open(file, flags, mode)),
      readFile: (file) => inTurn(() => calls.readFile(file)),
      names: (folder) => inTurn(() => calls.names(folder)),
      stat: (file) => inTurn(() => calls.stat(file)),
      rename: (from, to) => inTurn(() => calls.rename(from, to)),
      link: (from, to) => inTurn(() => calls.link(from, to)),
      copyFile: (from, to, mode) => inTurn(() => calls.copyFile(from, to, mode)),
      remove: (file) => inTurn(() => calls.remove(file)),
      makePrivateFolder: (folder) => inTurn(() => calls.makePrivateFolder(folder)),
    };
  }
}

const act = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Act>('acquire') },
  { weight: 2, arbitrary: fc.constantFrom<Act>('isHeld', 'release') },
  { weight: 1, arbitrary: fc.constant<Act>('end') },
);
const step: fc.Arbitrary<Step> = fc.record({
  pid: fc.integer({ min: 1, max: WINDOWS }),
  calls: fc.integer({ min: 1, max: 12 }),
  fault: fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('before' as const, 'after' as const) },
  ),
});

describe('the lock of a folder, whatever its windows do at the same moment and whatever call of the disk fails', () => {
  it.each([false, true])(
    'has one holder at a time, and can be taken in the end; without hard links: %s',
    async (noHardLinks) => {
      const schedule = fc.record({
        /** A window that ended before: with the lock, or after it released it. */
        earlier: fc.constantFrom<readonly Act[]>([], ['acquire'], ['acquire', 'acquire'], ['acquire', 'release']),
        acts: fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), { minLength: WINDOWS, maxLength: WINDOWS }),
        steps: fc.array(step, { maxLength: 30 }),
      });
      await fc.assert(
        fc.asyncProperty(schedule, async ({ earlier, acts, steps }) => {
          const windows = new Windows(noHardLinks);
          void windows.play(99, [...earlier, 'end']);
          await windows.go([]);
          for (const [number, each] of acts.entries()) void windows.play(number + 1, each);
          await windows.go(steps);
          expect(windows.most).toBeLessThanOrEqual(1);
          // The windows stand still from now on, but their processes run.
          windows.calm();
          const last = windows.lockOf(50);
          let isTaken = await last.acquire();
          for (let check = 0; check < 4 && !isTaken; check++) {
            windows.elapsed += 60_000;
            isTaken = await last.acquire();
          }
          expect(isTaken).toBe(true);
          await last.release();
        }),
        { numRuns: RUNS },
      );
    },
  );
});
