import { expect, it } from 'vitest';
import { ManualClock } from '#support/manual-clock.ts';
import { SaveQueue } from '#sync/core/saves/save-queue.ts';

interface Bench {
  readonly clock: ManualClock;
  readonly queue: SaveQueue;
  readonly batches: string[][];
  finish: (() => void) | undefined;
}

function open(slow = false): Bench {
  const clock = new ManualClock();
  const bench: Bench = {
    clock,
    batches: [],
    finish: undefined,
    queue: new SaveQueue(clock, (paths) => {
      bench.batches.push([...paths]);
      return slow ? new Promise<void>((resolve) => (bench.finish = resolve)) : Promise.resolve();
    }),
  };
  return bench;
}

it('hands over together what is saved together, 150 ms after the last', async () => {
  const { queue, clock, batches } = open();
  queue.add(['a']);
  await clock.advance(100);
  queue.add(['b', 'a']);
  await clock.advance(199);
  expect(batches).toEqual([]);
  await clock.advance(1);
  expect(batches).toEqual([['a', 'b']]);
});

it('runs one batch at a time, in the order of the saves', async () => {
  const bench = open(true);
  bench.queue.add(['a']);
  await bench.clock.advance(150);
  bench.queue.add(['a']);
  await bench.clock.advance(1000);
  expect(bench.batches).toEqual([['a']]);
  bench.finish?.();
  await bench.clock.advance(150);
  expect(bench.batches).toEqual([['a'], ['a']]);
});

it('gathers while it is held and continues after', async () => {
  const { queue, clock, batches } = open();
  queue.hold(true);
  queue.add(['a']);
  queue.add(['b']);
  await clock.advance(10_000);
  expect([...queue.waiting]).toEqual(['a', 'b']);
  await queue.flush();
  expect(batches).toEqual([]);
  queue.hold(false);
  await clock.advance(150);
  expect(batches).toEqual([['a', 'b']]);
});

it('keeps what was gathered when it is held in the last moment, and hands over nothing once closed', async () => {
  const { queue, clock, batches } = open();
  queue.add(['a']);
  await clock.advance(100);
  queue.hold(true);
  await clock.advance(500);
  expect(batches).toEqual([]);
  expect([...queue.waiting]).toEqual(['a']);
  await queue.close();
  queue.hold(false);
  await clock.advance(500);
  expect(batches).toEqual([]);
});
