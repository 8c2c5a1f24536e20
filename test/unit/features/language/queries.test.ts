import { describe, expect, it } from 'vitest';
import type { MetaCube } from '#api/data/data-operations.ts';
import { platformModelOf } from '#features/language/platform-model.ts';
import { compiledQuery, compiledText, previewSql } from '#features/language/queries.ts';
import type { MemberTarget } from '#features/language/messages.ts';

const cubes: readonly MetaCube[] = [
  {
    name: 'orders',
    type: 'cube',
    measures: [{ name: 'orders.total', type: 'number', aggType: 'sum', shortTitle: 'Total' }],
    dimensions: [
      { name: 'orders.status', type: 'string', description: 'Where it is.' },
      { name: 'orders.secret', type: 'string', isVisible: false },
      { name: 'orders.place', type: 'geo' },
    ],
    segments: [{ name: 'orders.paid' }],
  },
  { name: 'kpis', type: 'view', measures: [{ name: 'kpis.total' }], dimensions: [], segments: [] },
  { name: 'empty', measures: [], dimensions: [], segments: [] },
];

function target(name: string, kind: MemberTarget['kind'] = 'cube'): MemberTarget {
  return { uri: 'file:///m/orders.yml', kind, name };
}

describe('the preview of a part of the model', () => {
  // @shows code-lenses
  it('shows public dimensions of a cube, measures where it has no other, and one member', () => {
    expect(previewSql(target('orders'), cubes)).toEqual({
      ok: true,
      value: 'SELECT "status" FROM "orders" LIMIT 100',
    });
    expect(previewSql(target('kpis', 'view'), cubes)).toEqual({
      ok: true,
      value: 'SELECT MEASURE("total") AS "total" FROM "kpis"',
    });
    expect(previewSql(target('orders.status', 'dimension'), cubes)).toEqual({
      ok: true,
      value: 'SELECT "status" FROM "orders" GROUP BY 1 ORDER BY 1 LIMIT 100',
    });
    expect(previewSql(target('orders.total', 'measure'), cubes)).toEqual({
      ok: true,
      value: 'SELECT MEASURE("total") AS "total" FROM "orders"',
    });
  });

  it('says what to do about a name that the platform does not run yet', () => {
    for (const name of ['nope', 'orders.nope']) {
      const found = previewSql(target(name), cubes);
      expect(found.ok ? '' : found.error).toMatch(new RegExp(`“${name}” is not in the model.*[Pp]ush`));
    }
    expect(previewSql(target('empty'), cubes).ok).toBe(false);
  });
});

describe('the compiled SQL of a part of the model', () => {
  it('covers everything public, or the one member', () => {
    expect(compiledQuery(target('orders'), cubes)).toEqual({
      ok: true,
      value: { dimensions: ['orders.status'], measures: ['orders.total'] },
    });
    expect(compiledQuery(target('orders.total', 'measure'), cubes)).toEqual({
      ok: true,
      value: { measures: ['orders.total'] },
    });
    expect(compiledQuery(target('orders.status', 'dimension'), cubes)).toEqual({
      ok: true,
      value: { dimensions: ['orders.status'] },
    });
    expect(compiledQuery(target('empty'), cubes).ok).toBe(false);
  });

  it('shows what it is of, and its values', () => {
    expect(compiledText('orders on dev-ann', { sql: ' SELECT $1 ', values: ['a'] })).toBe(
      '-- orders on dev-ann\n-- $1 = "a"\nSELECT $1\n',
    );
  });
});

describe('the metadata for the language server', () => {
  it('keeps names, kinds, types and words', () => {
    const { cubes: found, environment } = platformModelOf('dev-ann', cubes);
    expect(environment).toBe('dev-ann');
    expect(found[0]).toEqual({
      name: 'orders',
      kind: 'cube',
      members: [
        { name: 'total', kind: 'measure', type: 'sum', title: 'Total' },
        { name: 'status', kind: 'dimension', type: 'string', description: 'Where it is.' },
        { name: 'secret', kind: 'dimension', type: 'string' },
        { name: 'place', kind: 'dimension', type: 'geo' },
        { name: 'paid', kind: 'segment', type: '' },
      ],
    });
    expect(found[1]?.kind).toBe('view');
  });
});
