// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { pictureOf } from '#shared/page/chart/picture.ts';
import { render } from '#shared/page/chart/render.ts';

const v = { field: 'v', type: 'quantitative' };
const s = { field: 's' };
const t = { field: 't', type: 'temporal' };
const value = { ...v, format: ',.0f' };
const of = (mark: unknown, encoding: object, more: object = {}): object => ({ mark, encoding, ...more });
const half = { transform: [{ calculate: 'datum.v / 2', as: 'h' }] };

const specs = {
  bars: of('bar', { x: s, y: v }),
  lines: of({ type: 'line', point: true }, { x: s, y: v }),
  'a line over time': of('line', { x: t, y: v }),
  'points over time': of('point', { x: t, y: v }),
  areas: of('area', { x: s, y: v }),
  slices: of('arc', { theta: v, color: s }),
  texts: of('text', { text: v, y: s }),
  ticks: of('tick', { x: v, y: s }),
  'a heat map': of('rect', { x: s, y: s, color: v }),
  means: of('bar', { x: s, y: { ...v, aggregate: 'mean' } }),
  tooltips: of('bar', { x: s, y: v, tooltip: [s, value] }),
  'tooltips of all columns': of({ type: 'bar', tooltip: { content: 'data' } }, { x: s, y: v }),
  'labels on bars': { layer: [of('bar', { x: s, y: v }), of('text', { x: s, y: v, text: value })] },
  'a histogram': of('bar', { x: { ...v, bin: true }, y: { aggregate: 'count' } }),
  'a logarithmic axis': of('point', { x: s, y: { ...v, scale: { type: 'log' } } }),
  'a calculated column': of('bar', { x: s, y: { ...v, field: 'h' } }, half),
};
const columns = {
  'one empty cell': [1, null, 3],
  'a first empty cell': [null, 2, 3],
  'one value': [null, 2, null],
  'a single row without a value': [null],
  'no values': [null, null, null],
  'a number that is none': [1, NaN, 3],
  'infinite numbers': [-Infinity, 1, Infinity],
  'only infinite numbers': [Infinity, Infinity],
  'a text among numbers': [1, 'abc', 3],
  texts: ['x', 'y', 'z'],
  'a missing field': [1, undefined, 3],
  'an empty text': [1, '', 3],
  objects: [1, { a: 1 }, [2]],
  'huge numbers': [1e308, 1e308, -1e308],
  'zeros and negative numbers': [-1, 0, 0],
};
const rowsOf = (values: readonly unknown[]) =>
  values.map((cell, at) => ({
    s: ['a', 'b', 'c'][at],
    t: `2025-0${at + 1}-01`,
    ...(cell === undefined ? {} : { v: cell }),
  }));
const drawn = (spec: unknown, values: readonly unknown[]) =>
  render({ spec: JSON.stringify(spec), rows: rowsOf(values), config: {}, width: 300 });
/** What the picture says: its texts, and the names of its marks and axes. */
const said = (svg: string): readonly string[] =>
  [...svg.matchAll(/aria-label="([^"]*)"|<text[^>]*>([^<]*)</g)].map(([, label, text]) => label ?? text ?? '');

describe('a chart of values that are missing or no numbers', () => {
  it.each(Object.entries(columns))('shows %s as missing or says why it is not drawn', async (_name, values) => {
    for (const [kind, spec] of Object.entries(specs)) {
      const outcome = await drawn(spec, values).then(
        ({ svg }) => [...said(svg), ...(svg.match(/="[^"]*(?:NaN|Infinity)[^"]*"/g) ?? [])],
        ({ message }: Error) => [message],
      );
      expect({ kind, wrong: outcome.filter((text) => /NaN|null|undefined|Infinity|\[object/.test(text)) }).toEqual({
        kind,
        wrong: [],
      });
    }
  });

  it.each([
    ['no values', [null, null], 'The column “v” has no values.'],
    ['no numbers', ['x', null], 'The column “v” has no numbers.'],
    ['infinite numbers only', [Infinity, NaN], 'The column “v” has no values.'],
  ])('refuses a column with %s, also beside a column of times that has some', async (_name, values, message) => {
    for (const spec of [specs.bars, specs['a line over time'], specs['a heat map'], specs.texts])
      await expect(drawn(spec, values)).rejects.toThrow(message);
  });

  it.each([
    ['a transform leaves no row', { ...specs.bars, transform: [{ filter: 'datum.v > 100' }] }, [1, 2]],
    ['a calculation has no value', specs['a calculated column'], [null, null]],
    ['a logarithmic axis has no value above zero', specs['a logarithmic axis'], [-1, 0, 0]],
  ])('refuses what would be an empty frame where %s', async (_name, spec, values) => {
    await expect(drawn(spec, values)).rejects.toThrow('No row has values that the chart can show.');
  });

  it('calculates no number from a missing value', async () => {
    const { svg } = await drawn(specs['a calculated column'], [4, null]);
    expect(said(svg)).toContain('s: a; h: 2');
    expect(said(svg).filter((text) => text.includes('h: 0'))).toEqual([]);
  });

  it.each([
    ['no rows that lack a value', [1, 2, 3], []],
    ['one row without a value', [1, null, 3], ['1 of 3 rows has no value in “v”.']],
    ['rows with a text', [1, 'x', 'y'], ['2 of 3 rows have no number in “v”.']],
  ])('remarks on %s', async (_name, values, remarks) => {
    expect((await drawn(specs.bars, values)).remarks).toEqual(remarks);
  });

  it('names a line by its ends instead of by its first point alone', async () => {
    const { svg } = await drawn(specs['a line over time'], [null, 2, 3]);
    expect(said(svg)).toContain('t: Feb 01, 2025; v: 2 to t: Mar 01, 2025; v: 3');
  });

  it.each(['null', 'NaN', 'undefined', 'Infinity'])(
    'keeps a category and a text that is really “%s”, and shows no number that is missing beside it',
    async (name) => {
      const rows = [
        { s: name, v: 1 },
        { s: 'b', v: null },
        { s: name, v: NaN },
        { s: name, v: null },
      ];
      const texts = async (encoding: object, mark = 'text'): Promise<readonly string[]> => {
        const spec = JSON.stringify(of(mark, encoding));
        const { svg } = await render({ spec, rows, config: {}, width: 300 });
        return said(svg.slice(svg.indexOf('mark-')));
      };
      expect(await texts({ x: s, y: v }, 'bar')).toContain(`s: ${name}; v: 1`);
      expect((await texts({ x: s, y: v }, 'bar')).filter((text) => text.endsWith(`v: ${name}`))).toEqual([]);
      const shown = async (text: object): Promise<number> =>
        (await texts({ y: { field: 'v', type: 'quantitative' }, text })).filter((each) => each === name).length;
      expect([await shown(s), await shown({ value: name }), await shown(v)]).toEqual([1, 1, 0]);
      const inRows = async (text: object): Promise<number> =>
        (await texts({ y: { field: 's', axis: null }, text })).filter((each) => each === name).length;
      expect([await inRows(s), await inRows({ value: name }), await inRows(v)]).toEqual([3, 4, 0]);
    },
  );
});

describe('texts in a chart', () => {
  const title = '<img src=x onerror=alert(1)> הכנסות \u{202e}txt.exe';
  const rows = [{ s: 'عدد الطلبات', v: 1 }];

  it('are shown as written, also from right to left, with what would turn them around made visible', async () => {
    const spec = { ...of('bar', { x: s, y: v, tooltip: { value: title } }), title };
    const { svg } = await render({ spec: JSON.stringify(spec), rows, config: {}, width: 600 });
    const picture = pictureOf(svg, document);
    expect(picture.querySelector('img, image, script, a')).toBeNull();
    const texts = [...picture.querySelectorAll('text, title')].map(({ textContent }) => textContent).join('\n');
    expect(texts).toContain('<img src=x onerror=alert(1)>');
    expect(texts).toContain('הכנסות');
    expect(texts).toContain('عدد الطلبات');
    expect(picture.outerHTML).not.toContain('\u{202e}');
    expect(texts).toContain('⟨U+202E⟩');
  });
});
