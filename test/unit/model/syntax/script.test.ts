import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textProblems } from '#model/checks/check.ts';
import { type ModelFile, parseFile } from '#model/file.ts';
import { symbolsOf } from '#model/symbols.ts';
import { problemsOf } from '../problems.ts';

const BEFORE = `import { schema } from './settings';

cube(\`users\`, {
  sql_table: \`\${schema}.users\`,
  measures: { count: { type: \`count\` } },
});

cube(\`orders\`, {
  sql: \`
    select *
    from orders
  \`,
  joins: { users: { relationship: \`many_to_one\`, sql: \`\${CUBE}.user_id = \${users.id}\` } },
  measures: {
    count: { type: \`count\`, drillMembers: [id, users.count] },
`;
const AFTER = `    total: {
      sql: \`amount\`,
      type: \`sum\`,
    },
  },
  dimensions: {
    id: { sql: \`id\`, type: \`number\`, primaryKey: true },
  },
});

const after = () => 1;
cube(\`refunds\`, { extends: orders, sql_table: \`refunds\` });
`;

function membersOf(file: ModelFile): Readonly<Record<string, string>> {
  const symbols = file.parts.flatMap(({ part }) => symbolsOf(part));
  return Object.fromEntries(symbols.map(({ name, members }) => [name, [...members.keys()].join(' ')]));
}

/** The first problem: its message and the text that is marked. */
function first(text: string): readonly [string | undefined, string] {
  const [found, ...more] = textProblems(parseFile('m.js', text));
  expect(more).toEqual([]);
  return [found?.problem.message, found ? text.slice(found.start, found.end) : ''];
}

/** A measure as it looks while a user types it from the first to the last character. */
const MEASURES: Readonly<Record<string, readonly string[]>> = {
  'in lines, brackets closed at once': [
    'fresh',
    'fresh:',
    'fresh: {}',
    'fresh: {\n      \n    }',
    'fresh: {\n      ty\n    }',
    'fresh: {\n      type:\n    }',
    'fresh: {\n      type: \n    }',
    'fresh: {\n      type: `\n    }',
    'fresh: {\n      type: `nu`\n    }',
    'fresh: {\n      type: `number`,\n      sql: `${}`\n    }',
    'fresh: {\n      type: `number`,\n      sql: `${CUBE.}`\n    }',
    'fresh: {\n      type: `number`,\n      sql: `${CUBE.count}`\n      title: "x"\n    }',
    'fresh: {\n      type: `number`,\n      drillMembers: [CUBE.]\n    }',
    "fresh: {\n      type: `number`,\n      title: 'It\n    }",
  ],
  'in lines, nothing closed': [
    'fresh: {',
    'fresh: {\n      type',
    'fresh: {\n      type: `',
    'fresh: {\n      type: `number`,\n      sql: `${',
    'fresh: {\n      type: `number`,\n      sql: `${CUBE.',
    'fresh: {\n      type: `number`,\n      sql: `${CUBE.count',
    'fresh: {\n      type: `number`,\n      drillMembers: [',
    'fresh: {\n      type: `number`,\n      drillMembers: [CUBE.id, ',
  ],
  'on one line': [
    'fresh: { type',
    'fresh: { type: }',
    'fresh: { type: , sql: `x` }',
    'fresh: { type: `number` sql: `x` }',
    'fresh: { type: `number`, sql: (CUBE',
    'fresh: { type: `number`, sql: (CUBE) =>',
    'fresh: { type: `number`, sql: (CUBE) => `',
    'fresh: { type: `number`, filters: [{ sql: `${CUBE}.x` }',
    'fresh: { type: `number` } }',
  ],
};

describe('a script while someone types in it', () => {
  for (const [name, states] of Object.entries(MEASURES))
    it.each(states)(`keeps its cubes and their members: ${name}: %j`, (state) => {
      const members = membersOf(parseFile('m.js', `${BEFORE}    ${state}\n${AFTER}`));
      expect(Object.keys(members)).toEqual(['users', 'orders', 'refunds']);
      const { users, orders } = members;
      expect(users).toBe('count');
      expect(orders?.replace(/ ?\bfresh\b/, '')).toBe('count total id');
    });

  it.each([
    ['cube(`a`, {\n  sql: `x`\n  title: `y`,\n});', 'A `,` is missing before this.', 't'],
    ['cube(`a`, {\n  measures: {\n    c: { type: `count` },\n\n  sql: `x`,\n});', 'This `{` is never closed.', '{'],
    ['cube(`a`, { sql: `x` }});', 'This `}` has no opening bracket: remove it.', '}'],
    ["cube(`a`, {\n  sql: 'x,\n  title: `y`,\n});", 'This text is never closed: a quote is missing.', "'x,"],
    ['cube(`a`, {\n  sql: `x`,\n  title:\n});', 'Something is missing after this `:`.', ':'],
    ['cube(`a`, { sql: `x`, title: 1 + });', 'This is not allowed here.', '}'],
    ['const a = 1;\nconst a = 2;\ncube(`a`, { sql: `x` });', "Identifier 'a' has already been declared", 'a'],
  ])('says in one place what is wrong: %j', (text, message, marked) => {
    expect(first(text)).toEqual([message, marked]);
    expect(Object.keys(membersOf(parseFile('m.js', text)))).toEqual(['a']);
  });

  it('says it of each definition that is broken, and keeps the others', () => {
    const text = 'cube(`a`, { sql: });\ncube(`b`, { sql: `x` });\ncube(`c`, { sql: `x`, title: `y });\n';
    const problems = textProblems(parseFile('m.js', text));
    expect(problems.map(({ start }) => text.slice(0, start).split('\n').length)).toEqual([1, 3]);
    expect(Object.keys(membersOf(parseFile('m.js', text)))).toEqual(['a', 'b', 'c']);
  });

  it('still says what is wrong in the definitions that are whole', () => {
    const text = 'cube(`a`, { sql: `x`, foo: 1 });\ncube(`b`, { sql: `x`, bar: 1\n  title: `y`, });\n';
    const found = textProblems(parseFile('m.js', text)).map(({ problem, start, end }) => [
      problem.code,
      text.slice(start, end),
    ]);
    expect(found).toEqual([
      ['script-syntax', 't'],
      ['unknown-key', 'foo'],
    ]);
  });

  it('calls nothing missing that may stand in what cannot be read', () => {
    const yaml = 'cubes:\n  - name: b\n    extends: a\n    sql_table: t\n';
    const errors = (script: string): string[] =>
      problemsOf({ 'a.js': script, 'b.yml': yaml }).map(({ file, code }) => `${file} ${code}`);
    expect(errors('cube(`a`, { sql: `x`, title: @@ });')).toEqual(['a.js script-syntax']);
    expect(errors('cube(`c`, { sql: `x` });')).toEqual(['b.yml unknown-reference']);
  });

  it('is read, whatever is done to it', () => {
    const whole = `${BEFORE}${AFTER}`;
    const place = fc.integer({ min: 0, max: whole.length });
    const piece = fc.constantFrom(
      '',
      '{',
      '}',
      '[',
      ']',
      '(',
      ')',
      '`',
      "'",
      '"',
      '${',
      ',',
      ':',
      '.',
      '\n',
      '=>',
      '/',
      '*/',
      '\\',
      'é',
    );
    const edits = fc.array(fc.tuple(place, fc.nat({ max: 30 }), piece), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(edits, (list) => {
        const text = list.reduce((now, [at, gone, put]) => now.slice(0, at) + put + now.slice(at + gone), whole);
        const file = parseFile('m.js', text);
        for (const { start, end } of textProblems(file)) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(start).toBeLessThanOrEqual(end);
        }
        for (const { part } of file.parts)
          for (const { references, members } of symbolsOf(part))
            for (const { start, end } of [...references, ...[...members.values()].map(({ nameNode }) => nameNode)])
              expect(text.slice(start, end)).not.toContain('\n');
      }),
      { numRuns: 300 },
    );
  });
});
