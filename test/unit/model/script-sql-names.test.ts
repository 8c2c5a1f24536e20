import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { problemsOf } from '#support/language/problems.ts';
import { cube, script } from '#support/language/script-cube.ts';
import { scriptSql } from '#support/language/script-expressions.ts';

const CONSTANTS = `const N = 'nothing'; const M = new Map([['a', 'id']]); const S = new Set(['id']);
const f = (x) => \`\${x}\`; const tag = (s, ...v) => s.raw.join('') + v.join('');
`;

/** A cube with a measure whose SQL is such code; nothing in the model is called `nothing`. */
const measure = (sql: string): string =>
  CONSTANTS + cube(`measures: { a: { type: 'count' }, m: { type: 'number', sql: ${sql} } }`);

/** Code that the engine accepts, in which `nothing` is never evaluated as a reference. */
const ACCEPTED = [
  "`${true ? 'a' : nothing}`",
  "`${false ? CUBE.nothing : 'a'}`",
  "`${Math.random() > 2 ? CUBE.nothing : 'a'}`",
  '`${false && CUBE.nothing}`',
  '`${true || nothing}`',
  "`${'a' ?? nothing}`",
  '`${CUBE?.id}`',
  '`${JSON.stringify({ nothing: 1 })}`',
  "`${({ nothing() { return 'a'; } }).nothing()}`",
  "() => { const f = () => CUBE.nothing; return 'a'; }",
  "() => { return 'a'; CUBE.nothing; }",
  "() => { if (false) return CUBE.nothing; return 'a'; }",
  "() => { try { return `${CUBE.nothing}`; } catch (e) { return 'a'; } }",
  "`${(() => { try { return CUBE.nothing; } catch { return 'a'; } })()}`",
  '() => { try { return `${CUBE.id}`; } catch (e) { return `${CUBE.nothing}`; } }',
  "'${nothing}'",
  "'{nothing}'",
  '"{CUBE.nothing}"',
  '`\\${nothing}`',
  '`$\\{nothing}`',
  'String.raw`${CUBE.id}`',
  'String.raw`{nothing}`',
  'tag`${CUBE.id}`',
  "`${new Map([['a', 'b']]).get('a')}`",
  "`${M.get('a')}`",
  "`${CUBE[M.get('a')]}`",
  '`${[...S].map((s) => CUBE[s]).join()}`',
  '`\\x7Bnothing\\x7D`',
  '`$\\x7Bnothing}`',
  '`$\\u007Bnothing}`',
  "'\\u007Bnothing\\u007D'",
  '`\\u0024{nothing}`',
  '`${CUBE.i\\u0064}`',
  "`${CUBE['i\\x64']}`",
  "`${CUBE['i' + 'd']}`",
  '`${typeof nothing}`',
  "`${'nothing' in CUBE}`",
  "`${'a'.replace(/nothing/, 'b')}`",
  "`${'a'.replace(/CUBE.nothing/g, 'b')}`",
  "`${/* nothing */ 'a'}`",
  '`${CUBE.id /* CUBE.nothing */}`',
  '`${CUBE.id // CUBE.nothing\n}`',
  "`${'nothing'}`",
  "`${'it\\'s nothing'}`",
  '`${`nothing`}`',
  'function (CUBE) { return `${CUBE.nothing}`; }',
  '`${class { nothing = 1 }}`',
  "() => { nothing: for (;;) { break nothing; } return 'a'; }",
  "() => { let r = ''; for (const nothing of ['a']) r += nothing; return r; }",
  "() => { for (var nothing = 0; nothing < 1; nothing++); return 'a'; }",
  "() => { try { null.x; } catch (nothing) { return `${nothing.message}`; } return ''; }",
  '() => { class nothing {} return nothing.name; }',
  "() => { function nothing() { return 'a'; } return nothing(); }",
  "() => { return nothing(); function nothing() { return 'a'; } }",
  '() => { const { nothing = 1 } = {}; return `${nothing}`; }',
  "() => { const { q: nothing } = { q: 'a' }; return `${nothing}`; }",
  "() => { const [nothing] = ['a']; return `${nothing}`; }",
  "`${true ? (false ? nothing : 'a') : nothing}`",
  "() => { switch (1) { case 2: return CUBE.nothing; default: return 'a'; } }",
  "`${['id'].reduce((s, n) => s + CUBE[n], '')}`",
  '`${[].map((n) => CUBE.nothing).join()}`',
  "`${['id'].filter((n) => n === 'x').map((n) => CUBE.nothing)}`",
  '`${Object.keys({ id: 1 }).map((k) => CUBE[k])}`',
  '({ id }) => `${id}`',
  '`${this.nothing}`',
  '`${globalThis.nothing}`',
  "`${FILTER_PARAMS?.orders?.id?.filter('a')}`",
  "`${FILTER_PARAMS?.orders?.nothing?.filter('a')}`",
  "id + 'a'",
  "orders + '.id'",
  "CUBE + '.id'",
  "'x' + a",
  'f(CUBE.id)',
  "() => { const g = (nothing) => nothing; return g('a'); }",
  '() => { return N; }',
  "N + 'x'",
  "[CUBE.id, CUBE.a].join('+')",
  "1 > 2 ? nothing : 'a'",
  "() => 1 > 2 ? nothing : 'a'",
  "() => { return this ? 'a' : 'b'; }",
  "function () { return arguments.length + 'a'; }",
  '() => { return String(Math.max(1, 2)); }',
  "() => { console.log('x'); return 'a'; }",
  '() => { return `${new Date().getFullYear()}`; }',
  "() => { const o = { nothing: 'a' }; return o.nothing; }",
  "() => { const { nothing } = { nothing: 'a' }; return nothing; }",
  "() => { let s; s = 'a'; return s; }",
  "() => { if (true) { var s = 'a'; } return s; }",
  "() => { zzz = 'a'; return 'b'; }",
  "() => { outer: for (const x of [1]) { continue outer; } return 'a'; }",
  "() => { const g = function* () { yield nothing; }; return 'a'; }",
  "() => { class A { x() { return nothing; } } return 'a'; }",
  "() => { class A { static x = 'b'; } return A.x; }",
  "() => { const o = { get x() { return nothing; } }; return 'a'; }",
  "() => { const f = (n) => n > 0 ? f(n - 1) : 'a'; return f(2); }",
  "() => { const cols = ['a', 'b']; return cols.map((c) => `${CUBE}.${c}`).join(' || '); }",
  "() => { let i = 0; let s = ''; while (i < 2) { s += `${CUBE}.c${i}`; i++; } return s; }",
  '() => { const t = (s) => s[0]; return t`a`; }',
  "() => { const f = (id) => id.nothing; return f({ nothing: 'a' }) + ''; }",
  "() => [{ nothing: 'a' }].map((id) => id.nothing).join()",
  "`${[{ nothing: 'a' }].map((id) => id.nothing)}`",
  "`${[{ nothing: 'a' }].map(({ nothing }) => nothing)}`",
  '`${Object.entries({ z: 1 }).map(([nothing, b]) => nothing + b)}`',
  "`${[{ nothing: 'a' }].map((CUBE) => CUBE.nothing)}`",
  "`${((a = nothing) => 'x')(1)}`",
  '`${null?.(nothing)}`',
  "() => { import('x').catch(() => {}); return 'a'; }",
  "`${'a'.replace(/['\"]/g, '')}.${CUBE.id}`",
  "`${'a'.replace(/[\\`]/g, '')}.${CUBE.id}`",
  '`${CUBE}.x ${true ? `${CUBE.id}` : `${CUBE.nothing}`}`',
  "() => { if (N === 'x') { return `${CUBE.nothing}`; } else { return 'a'; } }",
  "`${COMPILE_CONTEXT.securityContext.x ? CUBE.nothing : 'a'}`",
  "`${SECURITY_CONTEXT.nothing.filter('a')}`",
  "`${SECURITY_CONTEXT?.x?.filter?.('a')}`",
  '`${FILTER_PARAMS.orders.id.filter((x) => `${CUBE.nothing} = ${x}`)}`',
  '`😀 ${CUBE.id}`',
  "`😀 ${JSON.stringify({ '😀': 1, nothing: 2 })}`",
];

/** Code in which the engine evaluates a name that does not exist. */
const REFUSED = [
  "`${false ? 'a' : CUBE.nothing}`",
  '`${true && CUBE.nothing}`',
  '`${CUBE?.nothing}`',
  '`${nothing?.x}`',
  '`${CUBE.nothing?.()}`',
  "`${CUBE?.['nothing']}`",
  '`${CUBE.id?.nothing}`',
  '`${CUBE?.id?.nothing}`',
  '`${users?.nothing}`',
  '`${orders?.nothing}`',
  '`${JSON.stringify({ a: nothing })}`',
  '`${JSON.stringify({ nothing })}`',
  '() => { const f = () => CUBE.nothing; return `${f()}`; }',
  "() => { if (true) return `${CUBE.nothing}`; return 'a'; }",
  '() => { try { return `${CUBE.nothing}`; } finally { } }',
  'String.raw`${CUBE.nothing}`',
  'String.raw`${nothing}`',
  'tag`${CUBE.nothing}`',
  "`${new Map([['a', CUBE.nothing]]).get('a')}`",
  '`${CUBE[`nothing`]}`',
  "`${CUBE['no' + 'thing']}`",
  '`${CUBE[N]}`',
  "`${(CUBE.nothing, 'a')}`",
  '`${typeof CUBE.nothing}`',
  '`${void nothing}`',
  '`${void CUBE.nothing}`',
  '`${`${CUBE.nothing}`}`',
  '(CUBE) => `${CUBE.nothing}`',
  '(X) => `${X.nothing}`',
  'async () => `${CUBE.nothing}`',
  "() => { let r; r = CUBE.nothing; return 'a'; }",
  "`${['nothing'].reduce((s, n) => s + CUBE[n], '')}`",
  "`${['id', 'nothing'].map((n) => CUBE[n]).join()}`",
  '`${Object.keys({ nothing: 1 }).map((k) => CUBE[k])}`',
  '() => { const { id } = CUBE; return `${id}`; }',
  "`${CUBE.nothing || 'a'}`",
  '`${!CUBE.nothing}`',
  '`${CUBE.nothing === 1}`',
  '`${new nothing()}`',
  '`${[...nothing]}`',
  "nothing + 'a'",
  'f(nothing)',
  'f(CUBE.nothing)',
  "nothing('a')",
  "[CUBE.id, CUBE.nothing].join('+')",
  'f(nothing.x)',
  '() => { return `${process.env.X}`; }',
  "() => { const cols = ['a', 'b']; return cols.map((c) => `${CUBE.nothing}.${c}`).join(' || '); }",
  "() => (nothing, 'a')",
  "() => { const id = { nothing: 'a' }; return id.nothing; }",
  '`${null ?? CUBE.nothing}`',
  "`${'a'.replace(/[{}]/g, '')}.${CUBE.nothing}`",
  '`a\r\n  ${CUBE.nothing}`',
  '`\t${\tCUBE.nothing\t}`',
  '`é ${CUBE.nothing}`',
  '`😀 ${CUBE.nothing}`',
];

describe('the SQL of a script', () => {
  // @shows no-false-errors
  it.each(ACCEPTED)('has no error where the engine accepts it: %s', async (sql) => {
    expect(await verdict(script(measure(sql)))).toEqual({ engine: false, ours: false });
  });

  it.each(REFUSED)('has an error where the engine refuses it: %s', async (sql) => {
    expect(await verdict(script(measure(sql)))).toEqual({ engine: true, ours: true });
  });

  it('has an error only where the engine refuses it, whatever code it is', async () => {
    const model = (sql: string): string =>
      `const CONSTANT = 'n';\n${cube(`measures: { m: { type: 'number', sql: ${sql} } }`)}`;
    await fc.assert(
      fc.asyncProperty(scriptSql, async (sql) => {
        const { engine, ours } = await verdict(script(model(sql)));
        expect({ engine: engine || ours, ours }).toEqual({ engine, ours });
      }),
      { numRuns: 60 },
    );
  });
});

describe('a circular reference in a script', () => {
  const circular = (text: string): readonly string[] =>
    problemsOf({ 'm.js': text })
      .filter(({ code }) => code === 'circular-reference')
      .map(({ text: marked }) => marked);

  it.each([
    [
      'members of a list',
      cube('measures: Object.fromEntries([`a`, `b`].map((x) => [x, { type: `sum`, sql: () => x }]))'),
    ],
    ['a cube of a loop', `for (const c of ['o']) ${cube('measures: { c: { type: `sum`, sql: `${c}` } }', 'c')}`],
    [
      'a cube that a constant names',
      `const N = 'o'; const x = 'n'; ${cube('measures: { x: { type: `sum`, sql: () => x } }', 'N')}`,
    ],
    ['a key of an object', cube('measures: { x: { type: `number`, sql: `${JSON.stringify({ x: 1 })}` } }')],
    ['a property of an object', cube('measures: { x: { type: `number`, sql: `${({ x: `n` }).x}` } }')],
    ['a branch', cube('measures: { x: { type: `number`, sql: `${true ? `n` : x}` } }')],
    ['the right side of a condition', cube('measures: { x: { type: `number`, sql: `${`n` || x}` } }')],
    [
      'a function that nothing calls',
      cube('measures: { x: { type: `number`, sql: () => { const f = () => CUBE.x; return `n`; } } }'),
    ],
    ['the type of a value', cube('measures: { x: { type: `number`, sql: `${typeof x}` } }')],
    ['the code of a member', cube('measures: { x: { type: `number`, sql: `${x.sql}` } }')],
    ['a text in quotes', cube(`measures: { x: { type: 'number', sql: '\${x}' } }`)],
    [
      'a parameter of a helper',
      `const of = (x) => ({ type: 'sum', sql: () => x });\n${cube('measures: { x: of(`n`) }')}`,
    ],
    [
      'a variable of a loop',
      cube('measures: { x: { type: `number`, sql: () => { let s = ``; for (const x of [`n`]) s += x; return s; } } }'),
    ],
  ])('is not seen in %s', (_, text) => {
    expect(circular(text)).toEqual([]);
  });

  it.each([
    ['the member itself', cube('measures: { x: { type: `number`, sql: `${x}` } }'), ['x']],
    [
      'members of a list',
      cube('measures: Object.fromEntries([`x`, `y`].map((x) => [x, { type: `number`, sql: `${x}` }]))'),
      ['x'],
    ],
    ['an optional chain', cube('measures: { x: { type: `number`, sql: `${CUBE?.x}` } }'), ['CUBE?.x']],
    ['a name in brackets', cube("measures: { x: { type: `number`, sql: `${CUBE['x']}` } }"), ["CUBE['x']"]],
    [
      'a function that is called',
      cube('measures: { x: { type: `number`, sql: () => { const f = () => CUBE.x; return f(); } } }'),
      ['CUBE.x'],
    ],
    ['a default of a parameter', cube('measures: { x: { type: `number`, sql: (CUBE, x = `n`) => `${x}` } }'), ['x']],
  ])('is reported for %s', (_, text, marked) => {
    expect(circular(text)).toEqual(marked);
  });
});
