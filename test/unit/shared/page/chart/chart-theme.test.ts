// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { render } from '#shared/page/chart/render.ts';
import { chartTheme } from '#shared/page/chart/theme.ts';
import { honest, rows } from '#support/charts/honest.ts';

const drawn = (spec: unknown, width = 300) =>
  render({ spec: JSON.stringify(spec), rows, config: chartTheme(), width }).then(({ svg }) => svg);

describe('a chart on dark ground', () => {
  beforeEach(() => document.body.classList.add('vscode-dark'));
  afterEach(() => document.body.classList.remove('vscode-dark'));

  it.each(Object.entries(honest))('writes no text of %s in black', async (_name, spec) => {
    const svg = await drawn(spec);
    const texts = svg.match(/<text[^>]*>/g) ?? [];
    expect(texts.filter((text) => !/fill="/.test(text) || /fill="(?:black|#000|#000000)"/.test(text))).toEqual([]);
  });
});

describe('a chart in a narrow view', () => {
  it.each(
    Object.entries(honest).filter(([, spec]) =>
      /"(?:facet|concat|hconcat|vconcat|repeat|row|column)"/.test(JSON.stringify(spec)),
    ),
  )('fits with %s', async (_name, spec) => {
    const svg = await drawn(spec);
    const width = Number(/viewBox="0 0 (\d+(?:\.\d+)?)/.exec(svg)?.[1]);
    // The page scales down what is left over: names and legends that need more than a narrow view has.
    expect(width).toBeLessThanOrEqual(360);
  });

  it('writes a long title in lines instead of cutting it', async () => {
    const title = 'Revenue of all stores by status, without orders that were returned';
    const svg = await drawn({ ...honest['a bar chart'], title });
    expect(svg).not.toContain(`>${title}<`);
    for (const word of title.split(' ')) expect(svg).toContain(word);
  });

  it('leaves most of the width to the plot although categories have long names', async () => {
    const long = rows.map((row) => ({ ...row, status: `A very long name of a category ${String(row['status'])}` }));
    const spec = { mark: 'bar', encoding: { y: { field: 'status' }, x: { field: 'revenue', type: 'quantitative' } } };
    const { svg } = await render({ spec: JSON.stringify(spec), rows: long, config: chartTheme(), width: 300 });
    const [, plot] =
      /role-frame root"[^>]*><g[^>]*><path class="background"[^>]*d="M0[.\d]*,0[.\d]*h(\d+)/.exec(svg) ?? [];
    expect(Number(plot)).toBeGreaterThan(150);
  });
});
