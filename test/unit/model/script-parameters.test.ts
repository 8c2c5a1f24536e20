import { describe, expect, it } from 'vitest';
import { problemsOf } from '#support/language/problems.ts';
import { filesIn, js } from '#support/language/raw.ts';

const problems = (model: string): readonly string[] =>
  problemsOf(Object.fromEntries(filesIn(model))).map(({ code, text }) => `${code}: ${text}`);

describe('a variable of a script with the name of a member', () => {
  it.each([
    [
      'a parameter of a function around the SQL',
      js`
        // file: a.js
        const dimension = (name) => ({ sql: () => name, type: 'string' });
        cube('a', { sql_table: 't', dimensions: { name: dimension('name') } });
      `,
    ],
    [
      'a parameter in a template',
      js`
        // file: a.js
        const dimension = (name) => ({ sql: (CUBE) => \`\${CUBE}.\${name}\`, type: 'string' });
        cube('a', { sql_table: 't', dimensions: { name: dimension('name') } });
      `,
    ],
    [
      'a parameter of an imported function',
      js`
        // file: a.js
        import { dimension } from './lib.js';
        cube('a', { sql_table: 't', dimensions: { name: dimension('name') } });
        // file: lib.js
        export const dimension = (name) => ({ sql: () => \`\${name}\`, type: 'string' });
      `,
    ],
  ])('refers to nothing in the model outside of the definition: %s', (_, model) => {
    expect(problems(model)).toEqual([]);
  });

  it('is hidden by the member in the definition', () => {
    const model = js`
      // file: a.js
      const name = 'name';
      cube('a', { sql_table: 't', dimensions: { name: { sql: () => name, type: 'string' } } });
    `;
    expect(problems(model)).toEqual(['circular-reference: name']);
  });

  it('is a reference as a parameter of the SQL itself', () => {
    const model = js`
      // file: a.js
      const more = { sql: (nam) => \`\${nam} + 1\`, type: 'number' };
      cube('a', { sql_table: 't', dimensions: { name: { sql: \`x\`, type: 'string' }, more } });
    `;
    expect(problems(model)).toEqual(['unknown-reference: nam']);
  });
});
