import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasEnded, type Machine, ownMark, processMachine, type ProcessMark } from '#sync/disk/process-mark.ts';

/** A process of a model, with what its system knows of it. */
interface Life {
  readonly host: string;
  /** Counts the starts of its machine. */
  readonly boot: number;
  readonly space: string;
  readonly pid: number;
  readonly start: string;
  /** The uptime of its machine at its start, in seconds. */
  readonly uptime: number;
}

type Event =
  | { readonly kind: 'start'; readonly host: number; readonly space: number; readonly pid: number }
  | { readonly kind: 'kill'; readonly which: number }
  | { readonly kind: 'reboot'; readonly host: number }
  | { readonly kind: 'setClock'; readonly host: number; readonly minutes: number };

/** What systems show: boot ids and times of starts (Linux), or neither (macOS, Windows). */
interface System {
  readonly hasBootIds: boolean;
  readonly hasStarts: boolean;
  readonly hasSpaces: boolean;
}

/** Machines that share a storage. Ids are given again after the end of a process. */
class Machines {
  readonly living = new Set<Life>();
  readonly all: { readonly life: Life; readonly mark: ProcessMark }[] = [];
  readonly #system: System;
  readonly #boots = [0, 0];
  readonly #uptimes = [1000, 1000];
  readonly #clocks = [0, 0];
  #starts = 0;

  constructor(system: System) {
    this.#system = system;
  }

  happen(event: Event): void {
    // Time passes between two events; a machine that was started again is never up for longer than it was before at once.
    for (const host of [0, 1]) this.#uptimes[host] = (this.#uptimes[host] ?? 0) + 10;
    switch (event.kind) {
      case 'start':
        return this.#start(event);
      case 'kill': {
        const life = [...this.living][event.which];
        if (life) this.living.delete(life);
        return;
      }
      case 'reboot':
        return this.#reboot(event.host);
      case 'setClock':
        this.#clocks[event.host] = (this.#clocks[event.host] ?? 0) + event.minutes;
        return;
      default:
        event satisfies never;
    }
  }

  #start(event: Event & { readonly kind: 'start' }): void {
    const [host, space] = [`host-${event.host}`, this.#system.hasSpaces ? `space-${event.space}` : 'one'];
    const { pid } = event;
    if ([...this.living].some((each) => each.host === host && each.space === space && each.pid === pid)) return;
    const [boot = 0, uptime = 0] = [this.#boots[event.host], this.#uptimes[event.host]];
    const life = { host, boot, space, pid, start: String((this.#starts += 1)), uptime };
    this.living.add(life);
    this.all.push({ life, mark: ownMark(this.seenBy(life)) });
  }

  #reboot(host: number): void {
    for (const life of this.living) if (life.host === `host-${host}`) this.living.delete(life);
    this.#boots[host] = (this.#boots[host] ?? 0) + 1;
    this.#uptimes[host] = 0;
  }

  /** The machine as one of its processes sees it now. */
  seenBy({ host, space, pid }: Pick<Life, 'host' | 'space' | 'pid'>): Machine {
    const index = Number(host.at(-1));
    const at = (other: number): Life | undefined =>
      [...this.living].find((each) => each.host === host && each.space === space && each.pid === other);
    const { hasBootIds, hasStarts, hasSpaces } = this.#system;
    const boot = this.#boots[index] ?? 0;
    // Without ids of its own, it follows the clock.
    const bootId = hasBootIds ? `${host} boot ${boot}` : String(1_000_000 + (this.#clocks[index] ?? 0) + boot * 7);
    return {
      pid,
      host,
      space: hasSpaces ? space : undefined,
      bootId: () => bootId,
      uptime: () => this.#uptimes[index] ?? 0,
      isRunning: (other) => at(other) !== undefined,
      startOf: (other) => (hasStarts ? at(other)?.start : undefined),
    };
  }
}

const host = fc.integer({ min: 0, max: 1 });
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('start' as const),
      host,
      space: fc.integer({ min: 0, max: 1 }),
      pid: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('kill' as const), which: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reboot' as const), host }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('setClock' as const),
      host,
      minutes: fc.integer({ min: -5000, max: 5000 }),
    }),
  },
);
const system: fc.Arbitrary<System> = fc.record({
  hasBootIds: fc.boolean(),
  hasStarts: fc.boolean(),
  hasSpaces: fc.boolean(),
});

/** Plays events, and gives each process with what every living one thinks of it. */
function judged(
  kind: System,
  events: readonly Event[],
): readonly { readonly life: Life; readonly observer: Life; readonly isLiving: boolean; readonly ended: boolean }[] {
  const machines = new Machines(kind);
  for (const each of events) machines.happen(each);
  return machines.all.flatMap(({ life, mark }) =>
    [...machines.living].map((observer) => ({
      life,
      observer,
      isLiving: machines.living.has(life),
      ended: hasEnded(mark, machines.seenBy(observer)),
    })),
  );
}

describe('the mark of a process', () => {
  it('never shows a living process as ended, whatever the machine, the container and the clock', () => {
    fc.assert(
      fc.property(system, fc.array(event, { maxLength: 25 }), (kind, events) => {
        expect(judged(kind, events).filter(({ isLiving, ended }) => isLiving && ended)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('shows each process that has ended as such where the system tells them apart', () => {
    const linux = { hasBootIds: true, hasStarts: true, hasSpaces: true };
    let dead = 0;
    fc.assert(
      fc.property(fc.array(event, { maxLength: 25 }), (events) => {
        for (const { life, observer, isLiving, ended } of judged(linux, events)) {
          const isSeen = life.host === observer.host && (life.space === observer.space || life.boot !== observer.boot);
          if (isLiving || !isSeen) continue;
          dead += 1;
          expect(ended).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
    expect(dead).toBeGreaterThan(100);
  });

  it('takes a mark of an older version, which names no machine, for one of this machine', () => {
    const machine = { ...processMachine, isRunning: () => false };
    const { boot, pid, uptime } = ownMark(processMachine);
    expect(hasEnded({ boot, pid, uptime }, machine)).toBe(true);
    expect(hasEnded({ boot, pid, uptime }, { ...machine, isRunning: () => true })).toBe(false);
  });
});

describe('this machine', () => {
  it('sees its own process, and one that was killed', async () => {
    expect(hasEnded(ownMark(processMachine), processMachine)).toBe(false);
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6); console.log("runs")'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { pid = 0 } = child;
    await once(child.stdout, 'data');
    const mark = ownMark({ ...processMachine, pid });
    expect(hasEnded(mark, processMachine)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(hasEnded(mark, processMachine)).toBe(true);
  });

  it.skipIf(!existsSync('/proc/self/stat'))(
    'sees that a process has ended whose parent never asks for its code',
    { tags: ['machine'] },
    async () => {
      // The shell becomes a program that waits for no child.
      const parent = spawn('/bin/sh', ['-c', 'sleep 1000000 & echo $!; exec sleep 1000000'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      onTestFinished(() => void parent.kill('SIGKILL'));
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8') !== 'sleep\n') await setImmediate();
      const { start } = ownMark({ ...processMachine, pid });
      process.kill(pid, 'SIGKILL');
      const state = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '';
      while (!state().startsWith('Z')) await setImmediate();
      expect(() => process.kill(pid, 0)).not.toThrow();
      expect(hasEnded({ ...ownMark(processMachine), pid, start }, processMachine)).toBe(true);
    },
  );

  it.skipIf(!existsSync('/proc/self/stat'))(
    'distinguishes a process from a later one with the same id',
    { tags: ['machine'] },
    () => {
      const mark = ownMark(processMachine);
      expect(hasEnded({ ...mark, start: '1' }, processMachine)).toBe(true);
      expect(mark.start).toMatch(/^\d+$/);
    },
  );
});
