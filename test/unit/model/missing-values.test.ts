import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { yaml } from '#support/language/raw.ts';

/** A script with a cube of one dimension and further keys. */
const script = (rest: string): string =>
  `// file: a.js\ncube('orders', { sql_table: 'orders', dimensions: { id: { sql: 'id', type: 'number', primaryKey: true } }, ${rest} });\n`;

const bothSay = (isRefused: boolean): object => ({ engine: isRefused, ours: isRefused });

describe('the type of a pre-aggregation that counts as missing', () => {
  const inScript = (type: string, keys: string): string =>
    script(
      `measures: { n: { type: 'count' } }, preAggregations: { p: { measures: [CUBE.n] }, l: { type: ${type}, ${keys} } }`,
    );
  const inYaml = (type: string, keys: string): string => yaml`
    cubes:
      - name: orders
        sql_table: orders
        measures: [{name: n, type: count}]
        pre_aggregations:
          - {name: p, measures: [n]}
          - {name: l, type: ${type}, ${keys}}
  `;

  it.each(['!1', 'false', 'null', 'void 0', "''", '0'])(
    'is %s in a script: a rollup that cannot have rollups',
    async (type) => {
      expect(await verdict(inScript(type, 'measures: [CUBE.n]'))).toEqual(bothSay(false));
      expect(await verdict(inScript(type, 'rollups: [CUBE.p]'))).toEqual(bothSay(true));
    },
  );

  it.each(['""', 'false', '0'])('is %s in YAML, where null is refused', async (type) => {
    expect(await verdict(inYaml(type, 'measures: [n]'))).toEqual(bothSay(false));
    expect(await verdict(inYaml(type, 'rollups: [p]'))).toEqual(bothSay(true));
    expect(await verdict(inYaml('null', 'measures: [n]'))).toEqual(bothSay(true));
  });
});

describe('a granularity of a script', () => {
  const granularity = (keys: string): string =>
    script(
      `measures: { n: { type: 'count' } } }); cube('times', { sql_table: 't', dimensions: { at: { sql: 'at', type: 'time', granularities: { own: { ${keys} } } } }`,
    );

  it.each([
    ["interval: '1 year', origin: void 0", true],
    ["interval: '1 year', origin: undefined, title: undefined", true],
    ["interval: '1 year', offset: undefined, title: undefined", false],
  ])('with %s is judged as by the engine', async (keys, isRefused) => {
    expect(await verdict(granularity(keys))).toEqual(bothSay(isRefused));
  });
});

describe('members that are a function', () => {
  it.each([
    [
      "dimensions() { return { day: { sql: 'd', type: 'time' } }; }, measures: { a: { sql: `${day}`, type: 'sum' } }",
      true,
    ],
    ["dimensions: () => ({ day: { sql: 'd', type: 'time' } }), measures: { a: { sql: `${day}`, type: 'sum' } }", true],
    [
      "dimensions: async () => ({ day: { sql: 'd', type: 'time' } }), measures: { a: { sql: `${CUBE.day}`, type: 'sum' } }",
      true,
    ],
    ["dimensions: days, measures: { a: { sql: `${CUBE.day}`, type: 'sum' } }", true],
    ["dimensions: days, measures: { a: { sql: `1`, type: 'sum' } }", false],
    ["dimensions: days(), measures: { a: { sql: `${CUBE.day}`, type: 'sum' } }", false],
    ["get dimensions() { return days(); }, measures: { a: { sql: `${CUBE.day}`, type: 'sum' } }", false],
    ["measures: () => ({ n: { type: 'count' } }), dimensions: { b: { sql: `${CUBE.n}`, type: 'number' } }", true],
    ["extends: base, dimensions: days, measures: { a: { sql: `${CUBE.id}`, type: 'sum' } }", false],
    ["extends: base, dimensions: days, measures: { a: { sql: `${CUBE.day}`, type: 'sum' } }", true],
  ])('are none: { %s }', async (keys, isRefused) => {
    const model = `// file: a.js\nconst days = () => ({ day: { sql: () => 'd', type: 'time' } });\ncube('base', { sql_table: 'b', dimensions: { id: { sql: 'id', type: 'number' } } });\ncube('orders', { sql_table: 'o', ${keys} });\n`;
    expect(await verdict(model)).toEqual(bothSay(isRefused));
  });
});

describe('a number in place of the member of a row filter', () => {
  const filter = (member: string): string =>
    script(
      `access_policy: [{ group: '*', row_level: { filters: [{ or: [{ member: ${member}, operator: 'equals', values: ['1'] }] }] } }]`,
    );

  it.each([
    ['1.5', true],
    ['15', false],
    ['1.0', false],
  ])('is %s, which both judge alike', async (member, isRefused) => {
    expect(await verdict(filter(member))).toEqual(bothSay(isRefused));
  });

  it('is a path in YAML too', async () => {
    const model = (member: string): string => yaml`
      cubes:
        - name: orders
          sql_table: orders
          dimensions: [{name: id, sql: id, type: number, primary_key: true}]
          access_policy:
            - group: "*"
              row_level: {filters: [{member: ${member}, operator: equals, values: ["1"]}]}
    `;
    expect(await verdict(model('1.5'))).toEqual(bothSay(true));
    expect(await verdict(model('orders.id'))).toEqual(bothSay(false));
  });
});

describe('a key of a case in YAML that the engine converts late', () => {
  const dimension = (keys: string): string => yaml`
    cubes:
      - name: orders
        sql_table: orders
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
          - name: size
            type: string
            case: {${keys}}
  `;

  it.each([
    ['_when: [{sql: "{CUBE}.a > 1", label: big}], else: {label: small}', false],
    ['_when: [{sql: "{nothing} > 1", label: big}], else: {label: small}', false],
    ['when: [{sql: "{CUBE}.a > 1", _label: big}], else: {_label: small}', false],
    ['when: [{sql: "{CUBE}.a > 1", label: big}], _else: {label: small}', false],
    ['wen: [{sql: "{CUBE}.a > 1", label: big}], else: {label: small}', true],
  ])('is judged as by the engine: { %s }', async (keys, isRefused) => {
    expect(await verdict(dimension(keys))).toEqual(bothSay(isRefused));
  });
});
