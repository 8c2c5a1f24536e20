import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { receiving } from '#shared/page/host-messages.ts';
import { PagePosts } from '#shell/page-posts.ts';

type Way = 'toHost' | 'toPage';
type Step =
  | { readonly do: 'change' | 'reload' | 'wait' }
  | { readonly do: 'many'; readonly changes: number }
  | { readonly do: 'deliver' | 'lose' | 'double'; readonly way: Way; readonly at: number };

/** Timers that only move on demand. */
function timers() {
  let next = 0;
  let now = 0;
  const waiting = new Map<number, { readonly at: number; readonly run: () => void }>();
  return {
    setTimeout: (run: () => void, ms: number): number => {
      next += 1;
      waiting.set(next, { at: now + ms, run });
      return next;
    },
    clearTimeout: (id: number): void => void waiting.delete(id),
    /** Moves on to the next timer. */
    wait: (): void => {
      const [first] = [...waiting].sort(([, a], [, b]) => a.at - b.at);
      if (!first) return;
      const [id, { at, run }] = first;
      waiting.delete(id);
      now = at;
      run();
    },
  };
}

/**
 * A page that shows the changes of its host, which replies to the opening with all of them. What is on its way can be lost,
 * doubled, or delivered in another order.
 */
function connected() {
  const ways: Record<Way, unknown[]> = { toHost: [], toPage: [] };
  const send = (message: unknown): void => void ways.toPage.push(structuredClone(message));
  const posts = new PagePosts(send);
  let changes = 0;
  let shown: number[] | undefined;
  let hears: ((data: unknown) => void) | undefined;
  let clock = timers();
  const open = (): void => {
    clock = timers();
    const { setTimeout, clearTimeout } = clock;
    shown = undefined;
    const window = {
      setTimeout,
      clearTimeout,
      addEventListener: (_: string, listener: (event: { readonly data: unknown }) => void) =>
        (hears = (data) => listener({ data })),
    };
    receiving({
      api: { postMessage: (message) => void ways.toHost.push(structuredClone(message)) },
      window: window as unknown as Window,
      opening: () => ({ type: 'ready' }),
      take: (message) => {
        const { all, change } = message as { readonly all?: number[]; readonly change?: number };
        if (all) shown = all;
        else if (change !== undefined) shown = [...(shown ?? [-1]), change];
      },
    });
  };
  const change = (): void => posts.post({ change: (changes += 1) });
  const all = (): number[] => Array.from({ length: changes }, (_, at) => at + 1);
  const deliver = (way: Way, message: unknown): void => {
    if (way === 'toPage') hears?.(message);
    else if (!posts.take(message)) {
      posts.post({ all: all() });
    }
  };
  const onItsWay = ({ do: what, way, at }: Extract<Step, { readonly way: Way }>): void => {
    const queue = ways[way];
    if (queue.length === 0) return;
    const index = at % queue.length;
    const message = queue[index];
    if (what !== 'double') queue.splice(index, 1);
    if (what !== 'lose') deliver(way, message);
  };
  const take = (step: Step): void => {
    if ('way' in step) onItsWay(step);
    else if (step.do === 'change') change();
    else if (step.do === 'many') for (let left = step.changes; left > 0; left--) change();
    else if (step.do === 'wait') clock.wait();
    else open();
  };
  /** Nothing is lost any more, and the page asks as it does from time to time. */
  const end = (): void => {
    for (let times = 0; times < 6; times++) {
      for (let left = 5_000; ways.toHost.length + ways.toPage.length > 0; left--) {
        expect(left).toBeGreaterThan(0);
        for (const way of ['toHost', 'toPage'] as const) if (ways[way].length > 0) deliver(way, ways[way].shift());
      }
      clock.wait();
    }
  };
  open();
  return { take, end, seen: () => ({ shown, all: all() }) };
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change' as const) }) },
  fc.record({ do: fc.constantFrom('reload', 'wait') }),
  fc.record({ do: fc.constant('many' as const), changes: fc.constantFrom(60, 300) }),
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('deliver', 'deliver', 'deliver', 'lose', 'double'),
      way: fc.constantFrom('toHost', 'toPage'),
      at: fc.constantFrom(0, 0, 0, 1, 7),
    }),
  },
);

/** The opening of an earlier page arrives between two of the present one. */
const formerPage: Step[] = [
  { do: 'reload' },
  { do: 'double', way: 'toHost', at: 1 },
  { do: 'deliver', way: 'toHost', at: 0 },
  { do: 'change' },
];

describe('messages of the host to a page', () => {
  it('arrive in order and once in the end, whatever is lost, doubled, late or rebuilt', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { take, end, seen } = connected();
        for (const each of steps) take(each);
        end();
        const { shown, all } = seen();
        expect(shown).toEqual(all);
      }),
      { numRuns: 1_000, examples: [[formerPage]] },
    );
  });

  it('are requested until the host replies, although nothing changes', () => {
    const { take, end, seen } = connected();
    take({ do: 'lose', way: 'toHost', at: 0 });
    take({ do: 'wait' });
    take({ do: 'deliver', way: 'toHost', at: 0 });
    take({ do: 'lose', way: 'toPage', at: 0 });
    expect(seen().shown).toBeUndefined();
    end();
    expect(seen().shown).toEqual([]);
  });

  it('are requested again where the last one was lost, after which no other one shows a gap', () => {
    const { take, end, seen } = connected();
    end();
    take({ do: 'change' });
    take({ do: 'lose', way: 'toPage', at: 0 });
    end();
    expect(seen().shown).toEqual([1]);
  });
});
