import { compile, type TopLevelSpec } from 'vega-lite';
import { describe, expect, it } from 'vitest';
import { safeChart } from '#shared/page/chart/spec.ts';
import { honest, rows } from '#support/charts/honest.ts';
import { bombs } from '#support/charts/hostile.ts';
import { bundleOptions, unusedTransforms } from '../../../../../esbuild.mjs';
import { build } from 'esbuild';

/** The names of the transforms that the bundle of charts leaves out. */
const leftOut = new Set(
  (await Promise.all(unusedTransforms.map(async (name) => Object.keys((await import(name)) as object)))).flat(),
);

/** The types of everything in a specification of Vega. */
function typesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(typesIn);
  if (typeof value !== 'object' || value === null) return [];
  const { type } = value as { readonly type?: unknown };
  return [...(typeof type === 'string' ? [type] : []), ...Object.values(value).flatMap(typesIn)];
}

const usedBy = (spec: object): readonly string[] =>
  typesIn(compile(spec as TopLevelSpec).spec).filter((type) => leftOut.has(type));

/** The transforms that a chart needs once it went through the allow list; none if nothing of it can be drawn. */
function neededFor(given: unknown): readonly string[] {
  try {
    return usedBy(safeChart(given, rows).spec);
  } catch {
    return [];
  }
}

describe('the transforms that charts do without', () => {
  it('are needed by no chart that the allow list lets through', () => {
    const found = Object.entries({ ...honest, ...bombs }).flatMap(([name, spec]) =>
      neededFor(spec).map((type) => `${name}: ${type}`),
    );
    expect(found).toEqual([]);
  });

  it('would be noticed: a point that is nearest to the pointer needs one of them', () => {
    const nearest = { name: 'near', select: { type: 'point', nearest: true } };
    const spec = { data: { values: rows }, mark: 'point', encoding: { x: { field: 'low', type: 'quantitative' } } };
    expect(usedBy({ ...spec, params: [nearest] })).toContain('voronoi');
    expect(neededFor({ ...spec, params: [nearest] })).toEqual([]);
  });

  it('are not in the bundle', async () => {
    const { outputFiles } = await build({ ...bundleOptions('webview/charts'), sourcemap: false, write: false });
    const text = outputFiles.map((file) => file.text).join('');
    expect(text).toContain('Regression');
    expect(text).not.toContain('Wordcloud');
  });
});
