import { afterEach, describe, expect, it, vi } from 'vitest';
import { render } from '#shared/page/chart/render.ts';
import { type ChartKind, chartOf } from '#features/playground/chart.ts';
import { columnsOf, type Draft, emptyDraft } from '#features/playground/draft.ts';

const count = { measures: ['orders.count'] };
const byStatus = { ...count, dimensions: ['orders.status'] };
const byMonth = {
  ...count,
  time: { ...emptyDraft.time, dimension: 'orders.created_at', granularity: 'month' },
} as const;
const titles: Readonly<Record<string, string>> = { 'orders.count': 'Orders', 'orders.status': 'Status' };

function chart(change: Partial<Draft>, rows: readonly (readonly unknown[])[], kind?: ChartKind) {
  const draft = { ...emptyDraft, ...change };
  const columns = columnsOf(draft).map((name) => ({ name }));
  return chartOf({ draft, columns, rows, titleOf: (name) => titles[name] ?? name }, kind);
}

/** Draws it as the page does; the texts of the picture, and what was left out. */
async function drawn({ spec, rows }: ReturnType<typeof chart>) {
  const { svg, leftOut } = await render({ spec, rows, config: {}, width: 500 });
  return { texts: [...svg.matchAll(/<text[^>]*>([^<]+)/g)].map(([, text]) => text), leftOut, svg };
}

afterEach(() => void vi.unstubAllEnvs());

describe('the chart of a run', () => {
  it('is in the kind that suits the query, where the user chose none', () => {
    const monthly = [['2026-01-01T00:00:00.000', '3']];
    expect(chart(count, [['3']]).kinds).toEqual(['number', 'table']);
    expect(chart(byStatus, [['paid', '3']]).kinds).toEqual(['bar', 'line', 'area', 'pie', 'table']);
    expect(chart(byMonth, monthly).kinds).toEqual(['line', 'bar', 'area', 'pie', 'table']);
    expect(chart({ dimensions: ['orders.status'] }, [['paid']]).kinds).toEqual(['table']);
    expect(chart(byMonth, monthly, 'area').kind).toBe('area');
    expect(chart(count, [['3']], 'pie').kind).toBe('number');
  });

  it('offers a pie only where slices add up to a whole', () => {
    const kinds = (change: Partial<Draft>, ...row: readonly unknown[]): readonly ChartKind[] =>
      chart(change, [row]).kinds;
    expect(kinds(byStatus, 'paid', '3')).toContain('pie');
    expect(kinds(byStatus, 'paid', '-3')).not.toContain('pie');
    expect(kinds({ ...byStatus, measures: ['orders.count', 'orders.total'] }, 'paid', '3', '4')).not.toContain('pie');
  });

  it('shows figures as the server wrote them where a number would lose digits', () => {
    expect(chart(count, [['1234567']]).figures).toEqual([{ label: 'Orders', value: '1,234,567' }]);
    expect(chart(count, [['12345678901234567890.10']]).figures).toEqual([
      { label: 'Orders', value: '12345678901234567890.10' },
    ]);
    expect(chart(count, [[null]]).figures).toEqual([{ label: 'Orders', value: 'null' }]);
    expect(chart(count, []).figures).toEqual([{ label: 'Orders', value: 'null' }]);
  });

  it('has level labels where they are few and short, and names a value without text', async () => {
    const upright = async (
      ...names: readonly string[]
    ): Promise<readonly [boolean, readonly (string | undefined)[]]> => {
      const { svg, texts } = await drawn(
        chart(
          byStatus,
          names.map((name, at) => [name, String(at + 1)]),
        ),
      );
      return [svg.includes('rotate(270)'), texts];
    };
    const [isUpright, texts] = await upright('paid', '');
    expect(isUpright).toBe(false);
    expect(texts).toEqual(expect.arrayContaining(['paid', 'empty']));
    const [isLongUpright] = await upright('waiting for payment', 'sent to the customer', 'returned');
    expect(isLongUpright).toBe(true);
  });

  it('has a series for each measure and each value of further dimensions', () => {
    const { rows } = chart(
      { ...byStatus, dimensions: ['orders.status', 'orders.city'], measures: ['orders.count', 'orders.total'] },
      [['paid', 'Oslo', '1', '2']],
    );
    expect(rows).toEqual([
      { x: 'paid', series: 'Oslo · Orders', value: 1 },
      { x: 'paid', series: 'Oslo · orders.total', value: 2 },
    ]);
  });

  it('keeps measures of one title apart', () => {
    const titleOf = (): string => 'Count';
    const draft = { ...emptyDraft, measures: ['orders.count', 'users.count'] };
    const columns = columnsOf(draft).map((name) => ({ name }));
    const [first, second] = ['Count (orders.count)', 'Count (users.count)'];
    const { figures } = chartOf({ draft, columns, rows: [['1', '2']], titleOf });
    expect(figures.map(({ label }) => label)).toEqual([first, second]);
    const timed = { ...draft, time: byMonth.time };
    const named = columnsOf(timed).map((name) => ({ name }));
    const { rows } = chartOf({ draft: timed, columns: named, rows: [['2026-01-01', '1', '2']], titleOf });
    expect(rows.map(({ series }) => series)).toEqual([first, second]);
  });

  it('keeps a group that is called null or empty apart from the one without a value', () => {
    const { rows } = chart(byStatus, [
      [null, '1'],
      ['null', '2'],
      ['', '3'],
      ['empty', '4'],
    ]);
    expect(rows.map(({ x }) => x)).toEqual(['null', '“null”', 'empty', '“empty”']);
  });

  it('draws no more points than can be distinguished, and says so', () => {
    const { rows, hint } = chart(
      byStatus,
      Array.from({ length: 6_000 }, (_, at) => [String(at), '1']),
    );
    expect(rows).toHaveLength(5_000);
    expect(hint).toBe('The chart shows the first 5,000 of 6,000 points.');
  });

  it.each<ChartKind>(['line', 'bar', 'area', 'pie'])('is drawn whole as a %s', async (kind) => {
    const rows = [
      ['2026-01-01T00:00:00.000', 'paid', '3'],
      ['2026-02-01T00:00:00.000', 'paid', '5'],
      ['2026-02-01T00:00:00.000', 'new', '4'],
    ];
    const { texts, leftOut, svg } = await drawn(chart({ ...byMonth, dimensions: ['orders.status'] }, rows, kind));
    expect(leftOut).toEqual([]);
    expect(texts).toEqual(expect.arrayContaining(kind === 'pie' ? ['2026-02-01 · new'] : ['new', 'paid', 'Orders']));
    expect(svg).toContain(`mark-${{ line: 'line', bar: 'rect', area: 'area', pie: 'arc' }[kind as 'line']}`);
  });

  it('keeps the order of groups, and groups without a name', async () => {
    const { texts } = await drawn(
      chart(byStatus, [
        ['sent', '3'],
        [null, '5'],
        ['', '4'],
      ]),
    );
    expect(texts.filter((text) => text === 'sent' || text === 'null')).toEqual(['sent', 'null']);
  });

  it.each([
    ['Europe/Berlin', 'bar'],
    ['Europe/Berlin', 'line'],
    ['America/Los_Angeles', 'line'],
    ['Pacific/Apia', 'bar'],
  ] as const)('has each hour and day of the server once, on a machine in %s, as a %s', async (zone, kind) => {
    vi.stubEnv('TZ', zone);
    const named = async (granularity: 'hour' | 'day', times: readonly string[]): Promise<readonly string[]> => {
      const time = { ...byMonth.time, granularity };
      const rows = times.map((each, at) => [each, String(at + 1)]);
      const { svg } = await drawn(chart({ ...count, time }, rows, kind));
      return [...svg.matchAll(/orders\.created_at: ([^;"]+); Orders: (\d)(?=")/g)].map(
        ([, at, value]) => `${at} ${value}`,
      );
    };
    // Summer time begins on this night in Berlin; Apia had no 30 December 2011.
    const hours = ['01', '02', '03'].map((hour) => `2026-03-29T${hour}:00:00.000`);
    expect(await named('hour', hours)).toEqual(
      expect.arrayContaining(['Mar 29, 2026 01:00 1', 'Mar 29, 2026 02:00 2', 'Mar 29, 2026 03:00 3']),
    );
    const days = ['29', '30', '31'].map((day) => `2011-12-${day}T00:00:00.000`);
    expect(await named('day', days)).toEqual(
      expect.arrayContaining(['Dec 29, 2011 1', 'Dec 30, 2011 2', 'Dec 31, 2011 3']),
    );
  });

  it.each<ChartKind>(['bar', 'line'])('draws a granularity that the model defines as a %s', async (kind) => {
    const time = { ...byMonth.time, granularity: 'fiscal_year' };
    const rows = [
      ['2025-02-01T00:00:00.000', '3'],
      ['2026-02-01T00:00:00.000', '5'],
    ];
    const { svg, leftOut } = await drawn(chart({ ...count, time }, rows, kind));
    expect(leftOut).toEqual([]);
    const name = kind === 'bar' ? '2026-02-01' : 'Feb 01, 2026 00:00';
    expect(svg).toContain(`orders.created_at: ${name}; Orders: 5`);
  });

  it('names the slices of a pie by their days', async () => {
    const rows = [
      ['2026-01-01T00:00:00.000', '3'],
      ['2026-02-01T00:00:00.000', '5'],
    ];
    const { texts } = await drawn(chart(byMonth, rows, 'pie'));
    expect(texts).toEqual(expect.arrayContaining(['2026-01-01', '2026-02-01']));
  });
});
