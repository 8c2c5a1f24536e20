import { describe, expect, it } from 'vitest';
import { metaAnswer, type MetaCube } from '#api/data/data-operations.ts';
import { parsed } from '#base/parsed.ts';
import { checkDraft } from '#features/playground/check-draft.ts';
import { emptyDraft } from '#features/playground/draft.ts';
import { playgroundMembers } from '#features/playground/members.ts';

/** Reads metadata as a server sends it. */
const read = (cubes: unknown): readonly MetaCube[] => parsed(metaAnswer, { cubes })?.cubes ?? [];

describe('the members of a model', () => {
  it('are known by name alone, as old servers describe them', () => {
    const cubes = read([{ name: 'orders', measures: [{ name: 'orders.count' }], dimensions: [{ name: 'orders.id' }] }]);
    expect(playgroundMembers(cubes)).toEqual([
      { name: 'orders.count', kind: 'measure', title: 'orders.count', description: '', type: '', valueKind: 'number' },
      { name: 'orders.id', kind: 'dimension', title: 'orders.id', description: '', type: '', valueKind: 'text' },
    ]);
  });

  it('are kept where a newer server adds types, fields and kinds of values', () => {
    const cubes = read([
      {
        name: 'orders',
        type: 'ledger',
        title: { en: 'Orders' },
        measures: [{ name: 'orders.count', type: 'vector', isVisible: true, format: { type: 'custom' } }, 7, null],
        dimensions: [
          { name: 'orders.plan', type: 'switch', values: ['a', 'b'], description: null },
          {
            name: 'orders.at',
            type: 'time',
            granularities: [{ name: 'fiscal_year', interval: '1 year' }, { title: 5 }],
          },
          { name: 'orders.day', type: 'time', granularities: 'none' },
        ],
        segments: null,
        spheres: [{ name: 'orders.x' }],
      },
      { name: 5 },
    ]);
    const members = playgroundMembers(cubes);
    expect(members.map(({ name, kind, valueKind }) => [name, kind, valueKind])).toEqual([
      ['orders.count', 'measure', 'text'],
      ['orders.plan', 'dimension', 'text'],
      ['orders.at', 'time', 'time'],
      ['orders.day', 'time', 'time'],
    ]);
    expect(members.map(({ granularities }) => granularities)).toEqual([
      undefined,
      undefined,
      ['fiscal_year'],
      undefined,
    ]);
  });

  it('keep names that objects of JavaScript have as well', () => {
    const names = ['constructor.__proto__', '__proto__.constructor', 'toString.hasOwnProperty'];
    const cubes = read([{ name: 'constructor', measures: names.map((name) => ({ name, type: 'number' })) }]);
    const members = playgroundMembers(cubes);
    expect(members.map(({ name }) => name)).toEqual(names);
    expect(checkDraft({ ...emptyDraft, measures: names }, members)).toEqual([]);
  });

  it.each([
    ['string', 'equals', 'high', undefined],
    ['string', 'gt', '5', '“is greater than” does not apply to “orders.level”.'],
    ['time', 'afterDate', '2026-01-31', undefined],
    ['boolean', 'equals', 'perhaps', '“perhaps” is not true or false.'],
    ['number', 'equals', 'high', '“high” is not a number.'],
  ] as const)('have values of their type: a measure of type %s that %s %s', (type, operator, values, problem) => {
    const cubes = read([{ name: 'orders', measures: [{ name: 'orders.level', type, aggType: type }] }]);
    const filters = [[{ member: 'orders.level', operator, values }]];
    const problems = checkDraft({ ...emptyDraft, measures: ['orders.level'], filters }, playgroundMembers(cubes));
    expect(problems.map(({ message }) => message)).toEqual(problem === undefined ? [] : [problem]);
  });
});
