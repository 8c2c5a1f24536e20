import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textProblems } from '#model/checks/check.ts';
import { type ModelFile, parseFile } from '#model/file.ts';
import { symbolsOf } from '#model/symbols.ts';
import type { Drawn } from '#support/language/drawn.ts';
import { js } from '#support/language/raw.ts';
import { problems } from '#support/language/show.ts';

/** A measure goes where `$0` is. */
const SCRIPT = js`
  import { schema } from './settings';

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
      $0
      total: {
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
  const symbols = file.chunks.flatMap(({ chunk }) => symbolsOf(chunk));
  return Object.fromEntries(symbols.map(({ name, members }) => [name, [...members.keys()].join(' ')]));
}

const namesIn = (text: string): readonly string[] => Object.keys(membersOf(parseFile('m.js', text)));

const problemsIn = (text: string): Drawn => problems(`// file: m.js\n${text}`);

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
      const members = membersOf(
        parseFile(
          'm.js',
          SCRIPT.replace('$0', () => state),
        ),
      );
      expect(Object.keys(members)).toEqual(['users', 'orders', 'refunds']);
      const { users, orders } = members;
      expect(users).toBe('count');
      expect(orders?.replace(/ ?\bfresh\b/, '')).toBe('count total id');
    });

  it('says that a comma is missing', () => {
    const text = js`
      cube(\`a\`, {
        sql: \`x\`
        title: \`y\`,
      });
    `;
    expect(problemsIn(text)).toMatchInlineSnapshot(`
      3   title: \`y\`,
          ~ error script-syntax: A \`,\` is missing before this.
    `);
    expect(namesIn(text)).toEqual(['a']);
  });

  it('marks the brace that is never closed', () => {
    const text = js`
      cube(\`a\`, {
        measures: {
          c: { type: \`count\` },

        sql: \`x\`,
      });
    `;
    expect(problemsIn(text)).toMatchInlineSnapshot(`
      2   measures: {
                    ~ error script-syntax: This \`{\` is never closed.
    `);
    expect(namesIn(text)).toEqual(['a']);
  });

  it('marks a brace too many', () => {
    const text = js`
      cube(\`a\`, { sql: \`x\` }});
    `;
    expect(problemsIn(text)).toMatchInlineSnapshot(`
      1 cube(\`a\`, { sql: \`x\` }});
                              ~ error script-syntax: This \`}\` has no opening bracket: remove it.
    `);
    expect(namesIn(text)).toEqual(['a']);
  });

  it('marks a text that is never closed', () => {
    const text = js`
      cube(\`a\`, {
        sql: 'x,
        title: \`y\`,
      });
    `;
    expect(problemsIn(text)).toMatchInlineSnapshot(`
      2   sql: 'x,
               ~~~ error script-syntax: This text is never closed: a quote is missing.
    `);
    expect(namesIn(text)).toEqual(['a']);
  });

  it('says that a value is missing', () => {
    const text = js`
      cube(\`a\`, {
        sql: \`x\`,
        title:
      });
    `;
    expect(problemsIn(text)).toMatchInlineSnapshot(`
      3   title:
               ~ error script-syntax: Something is missing after this \`:\`.
    `);
    expect(namesIn(text)).toEqual(['a']);
  });

  it('says that half an expression is not allowed', () => {
    const text = js`
      cube(\`a\`, { sql: \`x\`, title: 1 + });
    `;
    expect(problemsIn(text)).toMatchInlineSnapshot(`
      1 cube(\`a\`, { sql: \`x\`, title: 1 + });
                                         ~ error script-syntax: This is not allowed here.
    `);
    expect(namesIn(text)).toEqual(['a']);
  });

  it('says that a name is declared twice', () => {
    const text = js`
      const a = 1;
      const a = 2;
      cube(\`a\`, { sql: \`x\` });
    `;
    expect(problemsIn(text)).toMatchInlineSnapshot(`
      2 const a = 2;
              ~ error script-syntax: Identifier 'a' has already been declared
    `);
    expect(namesIn(text)).toEqual(['a']);
  });

  it('says what is wrong in each definition that is broken, and keeps the others', () => {
    const text = js`
      cube(\`a\`, { sql: });
      cube(\`b\`, { sql: \`x\` });
      cube(\`c\`, { sql: \`x\`, title: \`y });
    `;
    expect(problemsIn(text)).toMatchInlineSnapshot(`
      1 cube(\`a\`, { sql: });
                       ~ error script-syntax: Something is missing after this \`:\`.
      3 cube(\`c\`, { sql: \`x\`, title: \`y });
                                     ~~~~~~ error script-syntax: This text is never closed: a quote is missing.
    `);
    expect(namesIn(text)).toEqual(['a', 'b', 'c']);
  });

  it('still says what is wrong in the definitions that are whole', () => {
    const text = js`
      cube(\`a\`, { sql: \`x\`, foo: 1 });
      cube(\`b\`, { sql: \`x\`, bar: 1
        title: \`y\`, });
    `;
    expect(problemsIn(text)).toMatchInlineSnapshot(`
      1 cube(\`a\`, { sql: \`x\`, foo: 1 });
                              ~~~ error unknown-key: A cube has no key \`foo\`.
      3   title: \`y\`, });
          ~ error script-syntax: A \`,\` is missing before this.
    `);
  });

  it('calls nothing missing that may stand in what cannot be read', () => {
    const model = (script: string): string => js`
      // file: a.js
      ${script}
      # file: b.yml
      cubes:
        - name: b
          extends: a
          sql_table: t
    `;
    expect(problems(model('cube(`a`, { sql: `x`, title: @@ });'))).toMatchInlineSnapshot(`
      a.js
      1 cube(\`a\`, { sql: \`x\`, title: @@ });
                                     ~ error script-syntax: Unexpected character '@'
    `);
    expect(problems(model('cube(`c`, { sql: `x` });'))).toMatchInlineSnapshot(`
      b.yml
      3     extends: a
                     ~ error unknown-reference: There is no cube \`a\`.
    `);
  });

  it('gives symbols with places inside of the text, whatever is done to it', () => {
    const whole = SCRIPT.replace(/ *\$0\n/, '');
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
        for (const { chunk } of file.chunks)
          for (const { references, members } of symbolsOf(chunk))
            for (const { start, end } of [...references, ...[...members.values()].map(({ nameNode }) => nameNode)])
              expect(text.slice(start, end)).not.toContain('\n');
      }),
      { numRuns: 300 },
    );
  });
});
