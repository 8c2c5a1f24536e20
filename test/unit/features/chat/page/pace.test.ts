import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pace, type PaceClock } from '#features/chat/page/pace.ts';

/** Time and drawing by hand. */
class HandClock implements PaceClock {
  time = 0;
  #timers: { readonly at: number; readonly work: () => void }[] = [];
  #drawings: ((ms: number) => void)[] = [];

  readonly now = (): number => this.time;
  readonly later = (ms: number, work: () => void): void => void this.#timers.push({ at: this.time + ms, work });
  readonly drawn = (work: (ms: number) => void): void => void this.#drawings.push(work);

  draw(ms: number): void {
    this.time += ms;
    for (const work of this.#drawings.splice(0)) work(ms);
  }

  advance(ms: number): void {
    this.time += ms;
    const due = this.#timers.filter(({ at }) => at <= this.time);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    for (const { work } of due) work();
  }
}

function setUp() {
  const clock = new HandClock();
  const applied: (readonly number[])[] = [];
  return { clock, applied, pace: new Pace<number>(clock, (messages) => applied.push([...messages])) };
}

describe('Pace', () => {
  it('hands on at once where drawing is quick', () => {
    const { clock, applied, pace } = setUp();
    for (let n = 0; n < 3; n++) {
      pace.push(n, false);
      clock.draw(2);
      clock.advance(50);
    }
    expect(applied).toEqual([[0], [1], [2]]);
  });

  it('draws together what comes while drawing takes long, at most a quarter of the time', () => {
    const { clock, applied, pace } = setUp();
    pace.push(0, false);
    clock.draw(40);
    for (let n = 1; n <= 3; n++) {
      pace.push(n, false);
      clock.advance(39);
    }
    expect(applied).toEqual([[0]]);
    clock.advance(3);
    expect(applied).toEqual([[0], [1, 2, 3]]);
  });

  it('lets nothing urgent wait, nor what came before it', () => {
    const { clock, applied, pace } = setUp();
    pace.push(0, false);
    clock.draw(40);
    pace.push(1, false);
    pace.push(2, true);
    expect(applied).toEqual([[0], [1, 2]]);
  });

  it('continues where nothing is ever drawn', () => {
    const { clock, applied, pace } = setUp();
    pace.push(0, false);
    pace.push(1, false);
    clock.advance(249);
    expect(applied).toEqual([[0]]);
    clock.advance(1);
    expect(applied).toEqual([[0], [1]]);
  });

  it('loses nothing, doubles nothing and keeps the order, whatever the times', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('push' as const), urgent: fc.boolean() }),
      fc.record({ kind: fc.constantFrom('draw' as const, 'advance' as const), ms: fc.integer({ min: 0, max: 120 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { clock, applied, pace } = setUp();
        let pushed = 0;
        for (const each of steps) {
          if (each.kind === 'push') pace.push(pushed++, each.urgent);
          else clock[each.kind](each.ms);
        }
        clock.advance(250);
        expect(applied.flat()).toEqual(Array.from({ length: pushed }, (_, n) => n));
      }),
    );
  });
});
