import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { problemsOf } from '#support/language/problems.ts';
import { yaml } from '#support/language/raw.ts';
import { cube, script } from '#support/language/script-cube.ts';

const CUBE = cube(`measures: { count: { type: 'count' } }`);

describe('a script that throws', () => {
  // @shows errors-of-the-engine, no-false-errors
  it.each([
    ['at its top', `throw new Error('x');`, true],
    ['in a function that it calls', `function stop() { throw 'x'; }\nstop();`, true],
    ['on a condition that holds', `if (!['a'].includes('b')) throw 'x';`, true],
    ['in a loop', `for (const name of ['a']) throw name;`, true],
    ['in a function that nothing calls', `const stop = () => { throw 'x'; };`, false],
    ['on a condition that does not hold', `const check = (x) => { if (!x) throw 'x'; };\ncheck('a');`, false],
    ['where the error is caught', `try { throw 'x'; } catch {}`, false],
    ['in a getter that nothing reads', `const all = { get a() { throw 'x'; } };`, false],
    ['in a branch that only the deployment decides', `if (COMPILE_CONTEXT.x) throw 'x';`, false],
  ])('is judged as by the engine: %s', async (_, code, isRefused) => {
    expect(await verdict(script(`${code}\n${CUBE}`))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('a getter outside of a definition', () => {
  it.each([
    ['calls a function that does not exist', `const all = { get a() { return nope(); } };`],
    ['calls a text', `const all = { get a() { return 'x'(); } };`],
  ])('has no errors where nothing reads it: it %s', async (_, code) => {
    expect(await verdict(script(`${code}\n${CUBE}`))).toEqual({ engine: false, ours: false });
  });
});

describe('the name of a definition', () => {
  it.each([
    ['null', `cube(null, { sql_table: 't' });`, true],
    ['a list', `cube(['a'], { sql_table: 't' });`, true],
    ['a truth in a loop', `for (const name of [true]) cube(name, { sql_table: 't' });`, true],
    ['a list of a constant', `const NAME = ['a'];\ncube(NAME, { sql_table: 't' });`, true],
    ['a number of a view group', `view_group(5, { title: 'a' });`, true],
    ['the text “null”', `cube('null', { sql_table: 't' });`, false],
    ['the text “true” in a loop', `for (const name of ['true']) cube(name, { sql_table: 't' });`, false],
  ])('is judged as by the engine: %s', async (_, code, isRefused) => {
    expect(await verdict(script(`${code}\n${CUBE}`))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('a reference in the code of SQL', () => {
  const withSql = (sql: string): string =>
    script(cube(`measures: { count: { type: 'count' }, a: { type: 'max', sql: ${sql} } }`));

  it.each([
    ['a member that a pattern takes out of its cube', '() => { const { nothing } = CUBE; return `${nothing}`; }', true],
    ['one under another name', '(CUBE) => { const { nothing: n } = CUBE; return `${n}`; }', true],
    ['a known one under another name', '(CUBE) => { const { id: n } = CUBE; return `${n}`; }', false],
    ['a pattern of another object', '() => { const { nothing } = { nothing: 1 }; return `${nothing}`; }', false],
    ['an unknown name with an escape', '`${CUBE.n\\u006fthing}`', true],
    ['a bare one with an escape', '`${n\\u006fthing}`', true],
    ['a known name with an escape', '`${CUBE.\\u0069d}`', false],
    ['a default that is used', '() => { const f = (x = nothing) => x; return `${f()}`; }', true],
    ['a default that is not used', '() => { const f = (x = nothing) => x; return `${f(1)}`; }', false],
  ])('is judged as by the engine: %s', async (_, sql, isRefused) => {
    expect(await verdict(withSql(sql))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('other values of a script', () => {
  const measure = (keys: string): string =>
    cube(
      `measures: { count: { type: 'count' }, a: { type: 'number', multi_stage: true, sql: \`\${count}\`, ${keys} } }`,
    );

  it.each([
    ['NaN in place of time shifts', measure('timeShift: NaN'), true],
    ['a number to inherit from', cube(`extends: 5, measures: {}`), true],
    ['a list to inherit from', cube(`extends: ['orders'], measures: {}`), true],
    ['nothing to inherit from', cube(`extends: null, measures: {}`), true],
    ['a setter in place of references', measure('set drill_members(value) {}'), false],
    ['a setter in place of a list', measure('set filters(value) {}'), false],
    ['a setter in place of SQL', cube(`measures: { a: { type: 'count', filters: [{ set sql(value) {} }] } }`), true],
  ])('are judged as by the engine: %s', async (_, text, isRefused) => {
    expect(await verdict(script(text))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('a value in YAML', () => {
  const inCube = (keys: string): string => yaml`
    # file: model/m.yml
    cubes:
      - name: orders
        sql_table: orders
        dimensions: [{name: day, sql: day, type: time, time_shift: [{name: a, sql: x}]}]
        measures: [{name: count, type: count}]
        ${keys}
  `;

  it.each([
    ['an open brace', '["{"]', true],
    ['empty braces', '["{}"]', true],
    ['an empty text', '[""]', false],
    ['a closing brace', '["}"]', false],
    ['a name in braces', '["{day}"]', false],
  ])('is judged as by the engine in a list for a time dimension: %s', async (_, time, isRefused) => {
    const text = inCube(`pre_aggregations: [{name: m, measures: [count], time_dimension: ${time}, granularity: day}]`);
    expect(await verdict(text)).toEqual({ engine: isRefused, ours: isRefused });
  });

  it('may have an underscore before the key of a list that is read late', async () => {
    const text = inCube('').replace('time_shift:', '_time_shift:');
    expect(await verdict(text)).toEqual({ engine: false, ours: false });
  });
});

describe('an interval with a misspelled unit', () => {
  it.each([
    ['refresh_key: {every: 1 dayy}', '1 day'],
    ['refresh_key: {every: "30 minuts"}', '30 minutes'],
    ['measures: [{name: c, type: count, rolling_window: {trailing: 3 mont}}]', '3 month'],
    ['measures: [{name: c, type: count, rolling_window: {trailing: 3 apples}}]', undefined],
    ['refresh_key: {every: 1 year}', undefined],
  ])('is corrected: %s', (keys, meant) => {
    const problems = problemsOf({ 'm.yml': `cubes:\n  - name: orders\n    sql_table: orders\n    ${keys}\n` });
    const [message = ''] = problems.map((each) => each.message);
    expect(/Did you mean `(.*)`/.exec(message)?.[1]).toBe(meant);
  });
});
