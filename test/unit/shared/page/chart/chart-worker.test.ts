import { describe, expect, it } from 'vitest';
import { ChartWorker, MOST_MS, type WorkerEvent, type WorkerPort } from '#shared/page/chart/chart-worker.ts';
import { isTimeout, reasonOf } from '#shared/page/chart/failure.ts';
import type { DrawRequest } from '#shared/page/chart/messages.ts';
import { ManualClock, settled } from '#support/manual-clock.ts';

const request = (spec: string): DrawRequest => ({ spec, rows: [], config: {}, width: 100 });

/** A worker that answers as its first letter says: `d`raws, `f`ails, `l`oops for ever, `c`rashes. */
class FakeWorker implements WorkerPort {
  isEnded = false;
  readonly asked: string[] = [];
  readonly #hear: (event: WorkerEvent) => void;

  constructor(hear: (event: WorkerEvent) => void, isLoaded: boolean) {
    this.#hear = hear;
    this.#say(isLoaded ? { kind: 'ready' } : { kind: 'died' });
  }

  send = ({ spec }: DrawRequest): void => {
    this.asked.push(spec);
    if (spec.startsWith('d')) this.#say({ kind: 'drawn', picture: { svg: spec, leftOut: [], remarks: [] } });
    if (spec.startsWith('f')) this.#say({ kind: 'failed', reason: 'No marks.' });
    if (spec.startsWith('c')) this.#say({ kind: 'died' });
  };

  terminate = (): void => {
    this.isEnded = true;
  };

  #say(event: WorkerEvent): void {
    queueMicrotask(() => this.#hear(event));
  }
}

function setUp(isLoaded = true) {
  const clock = new ManualClock();
  const workers: FakeWorker[] = [];
  const charts = new ChartWorker(
    (hear) => {
      const worker = new FakeWorker(hear, isLoaded);
      workers.push(worker);
      return worker;
    },
    (run, ms) => {
      const left = new AbortController();
      clock.sleep(ms, left.signal).then(run, () => undefined);
      return () => left.abort();
    },
  );
  const drawn = (spec: string): Promise<string> => charts.draw(request(spec)).then(({ svg }) => svg, reasonOf);
  /** Begins to draw; returns the outcome so far, so that a chart which never ends fails a test instead of holding it up. */
  const begin = (spec: string): (() => unknown) => {
    let outcome: unknown = 'not drawn yet';
    charts.draw(request(spec)).then(
      ({ svg }) => (outcome = svg),
      (error: unknown) => (outcome = error),
    );
    return () => outcome;
  };
  return { clock, workers, begin, drawn };
}

describe('ChartWorker', () => {
  it('draws one chart after the other in one worker', async () => {
    const { workers, drawn } = setUp();
    expect(await Promise.all([drawn('d1'), drawn('f2'), drawn('d3')])).toEqual(['d1', 'No marks.', 'd3']);
    expect(workers.map(({ asked }) => asked)).toEqual([['d1', 'f2', 'd3']]);
  });

  it('ends a chart that takes too long with its worker, and draws the next one', async () => {
    const { clock, workers, begin } = setUp();
    const slow = begin('loop');
    const next = begin('d2');
    await clock.advance(MOST_MS - 1);
    expect([slow(), next()]).toEqual(['not drawn yet', 'not drawn yet']);
    await clock.advance(1);
    expect(isTimeout(slow())).toBe(true);
    expect(reasonOf(slow())).toBe('It took longer than 10 seconds.');
    expect(next()).toBe('d2');
    expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false]);
  });

  it('gives each chart the whole time, however many before it took too long', async () => {
    const { clock, workers, begin } = setUp();
    const charts = [begin('loop 1'), begin('loop 2'), begin('d3')];
    await clock.advance(MOST_MS);
    expect(charts.map((outcome) => isTimeout(outcome()))).toEqual([true, false, false]);
    await clock.advance(MOST_MS);
    expect(charts.map((outcome) => isTimeout(outcome()))).toEqual([true, true, false]);
    expect(charts[2]?.()).toBe('d3');
    expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true, false]);
  });

  it('is not held up by a worker that dies in the middle of a chart', async () => {
    const { workers, begin } = setUp();
    const [dead, next] = [begin('crash'), begin('d')];
    await settled();
    expect(isTimeout(dead())).toBe(true);
    expect(next()).toBe('d');
    expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false]);
  });

  it('says so when its code cannot be loaded, and tries again with the next chart', async () => {
    const { workers, drawn } = setUp(false);
    expect(await drawn('d')).toContain('could not be loaded');
    expect(await drawn('d')).toContain('could not be loaded');
    expect(workers).toHaveLength(2);
  });
});
