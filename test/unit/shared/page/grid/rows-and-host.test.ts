// @vitest-environment happy-dom
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SqlBatch } from '#api/data/sql-batches.ts';
import { silentLogger } from '#base/log.ts';
import type { RowFilter } from '#base/row-filter.ts';
import { QueryRun } from '#chat-core/query-run.ts';
import type { HostToResults, ResultsToHost } from '#features/data/messages.ts';
import { ResultsModel } from '#features/data/page/model.ts';
import { ResultSurface } from '#features/data/result-surface.ts';
import { ManualClock, settled } from '#support/manual-clock.ts';

/** The columns of the query that is run, which later runs may change. */
const queries = [['id', 'status'], ['status', 'amount', 'id'], ['amount']] as const;
type Step =
  | { readonly do: 'run'; readonly query: number }
  | { readonly do: 'batch'; readonly rows: number }
  | { readonly do: 'fails' | 'ends' | 'cancel' | 'reload' | 'toHost' | 'toPage' | 'lose' }
  | { readonly do: 'scroll'; readonly to: number }
  | { readonly do: 'sort'; readonly column: number; readonly descending: boolean }
  | { readonly do: 'filter'; readonly filter: RowFilter };

/** A page and its host, whose messages wait in order until they are delivered. */
function connected() {
  const toHost: ResultsToHost[] = [];
  const toPage: HostToResults[] = [];
  const listeners = new Set<(event: { readonly data: unknown }) => void>();
  let run = 0;
  let query = 0;
  let next = Promise.withResolvers<SqlBatch | 'end' | 'fail'>();
  const push = async (what: SqlBatch | 'end' | 'fail'): Promise<void> => {
    const waiting = next;
    next = Promise.withResolvers();
    waiting.resolve(what);
    await settled();
  };
  const rows = new QueryRun(async function* (): AsyncGenerator<SqlBatch> {
    yield { kind: 'schema', columns: queries[query]?.map((name) => ({ name, type: 'string' })) ?? [] };
    for (;;) {
      const what = await next.promise;
      if (what === 'fail') throw new Error('The connection broke.');
      if (what === 'end') return;
      yield what;
    }
  }, new ManualClock());
  const surface = new ResultSurface({
    query: { title: '', source: '', sql: '' },
    run: rows,
    logger: silentLogger,
    post: (message) => void toPage.push(structuredClone(message)),
    outputs: {
      copy: () => Promise.resolve(),
      saveCsv: () => Promise.resolve(),
      openSql: () => Promise.resolve(),
      ask: () => Promise.resolve(),
    },
  });
  const window = {
    addEventListener: (_: string, listener: (event: { readonly data: unknown }) => void) =>
      void listeners.add(listener),
    setTimeout: () => 0,
    clearTimeout: () => undefined,
  } as unknown as Window;
  const open = (): ResultsModel =>
    new ResultsModel({ postMessage: (message) => void toHost.push(message as ResultsToHost) }, window);
  let page = open();
  let top = 0;
  const draw = (): void => {
    const count = page.state.value?.count ?? 0;
    for (let index = top; index < Math.min(count, top + 40); index++) page.row(index);
  };
  /** Without columns, a page shows neither a grid nor a filter. */
  const hasGrid = (): boolean => (page.state.value?.columns.length ?? 0) > 0;
  const deliver = {
    toHost: async (): Promise<void> => {
      const message = toHost.shift();
      if (message) await surface.receive(message);
    },
    toPage: async (): Promise<void> => {
      const data = toPage.shift();
      if (data) for (const listener of listeners) listener({ data });
      draw();
    },
  };
  const batch = async (count: number): Promise<void> => {
    const names = queries[query] ?? [];
    const cells = Array.from({ length: count }, (_, at) => names.map((name) => `${name} ${at % 7} of run ${run}`));
    await push({ kind: 'rows', rows: cells });
  };
  const arrange = (step: Extract<Step, { readonly do: 'sort' | 'filter' }>): void => {
    if (step.do === 'filter') page.narrow(step.filter);
    else page.sort({ column: step.column, descending: step.descending });
  };
  /** What happens on the host; resolves to `false` for the other steps. */
  const happensToHost = async (step: Step): Promise<boolean> => {
    switch (step.do) {
      case 'run':
        query = step.query;
        run += 1;
        next = Promise.withResolvers();
        void rows.start();
        await settled();
        await batch(150);
        break;
      case 'batch':
        await batch(step.rows);
        break;
      case 'ends':
      case 'fails':
        await push(step.do === 'ends' ? 'end' : 'fail');
        break;
      case 'cancel':
        rows.cancel();
        break;
      default:
        return false;
    }
    return true;
  };
  const take = async (step: Step): Promise<void> => {
    if (await happensToHost(step)) return;
    switch (step.do) {
      case 'reload':
        // VS Code drops what was on its way to the page.
        listeners.clear();
        toPage.length = 0;
        page = open();
        break;
      case 'lose':
        if (toHost[0]?.type === 'rows') toHost.shift();
        else if (toPage[0]?.type === 'rows') toPage.shift();
        break;
      case 'scroll':
        top = step.to;
        draw();
        break;
      case 'sort':
      case 'filter':
        if (hasGrid()) arrange(step);
        break;
      default:
        if (step.do === 'toHost' || step.do === 'toPage') await deliver[step.do]();
    }
  };
  const deliverAll = async (): Promise<void> => {
    draw();
    for (let rest = 1_000; toHost.length + toPage.length > 0; rest--) {
      expect(rest).toBeGreaterThan(0);
      if (toHost.length > 0) await deliver.toHost();
      else await deliver.toPage();
    }
  };
  /** What is in sight on the page, and what it should be by the rows of the host. */
  const seen = () => {
    const count = page.state.value?.count ?? 0;
    const length = Math.max(0, Math.min(count, top + 40) - top);
    return {
      page: Array.from({ length }, (_, at) => page.row(top + at)),
      host: rows.page(top, 40),
      order: page.order.value,
      hostOrder: rows.arrangement.order,
      filter: page.filter.value,
      hostFilter: rows.arrangement.filter ?? { condition: 'contains', value: '' },
    };
  };
  return { take, deliverAll, seen };
}

const column = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('run' as const), query: fc.nat(queries.length - 1) }),
  fc.record({ do: fc.constant('batch' as const), rows: fc.constantFrom(1, 60, 150, 400) }),
  fc.record({ do: fc.constantFrom('fails', 'ends', 'cancel', 'reload', 'lose') }),
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('toHost', 'toPage') }) },
  fc.record({ do: fc.constant('scroll' as const), to: fc.constantFrom(0, 100, 190, 390) }),
  fc.record({ do: fc.constant('sort' as const), column, descending: fc.boolean() }),
  fc.record({
    do: fc.constant('filter' as const),
    filter: fc.record({
      column: fc.option(column, { nil: undefined }),
      condition: fc.constantFrom('contains', 'excludes'),
      value: fc.constantFrom('', '3'),
    }),
  }),
);

/** What happens in the end, when the rows stay the same: what is lost then is not requested for another reason. */
const ending: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('lose', 'toHost', 'toPage') }),
  fc.record({ do: fc.constant('scroll' as const), to: fc.constantFrom(0, 100, 190, 390) }),
);

/** A page that shows the first rows of a query. */
const begun: readonly Step[] = [
  { do: 'run', query: 0 },
  { do: 'batch', rows: 400 },
  ...Array.from({ length: 4 }, (): readonly Step[] => [{ do: 'toHost' }, { do: 'toPage' }]).flat(),
];

describe('rows that a page gets from its host', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('are those of the host in the end, in whatever order things happen, and if requests or rows are lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.array(ending, { maxLength: 10 }), async (steps, ends) => {
        const { take, deliverAll, seen } = connected();
        for (const each of begun) await take(each);
        for (const each of [...steps, ...ends]) await take(each);
        await deliverAll();
        // What was lost is requested again with the next drawing.
        vi.advanceTimersByTime(5_000);
        await deliverAll();
        const { page, host, order, hostOrder, filter, hostFilter } = seen();
        expect(page).toEqual(host);
        expect([order, filter]).toEqual([hostOrder, hostFilter]);
      }),
      { numRuns: 200 },
    );
  });
});
