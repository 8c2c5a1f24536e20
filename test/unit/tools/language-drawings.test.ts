import { describe, expect, it } from 'vitest';
import { filesIn, js, yaml } from '#support/language/raw.ts';
import { problems } from '#support/language/show.ts';

describe('a raw block of a model', () => {
  it('loses the indentation that its lines share, and keeps backslashes', () => {
    expect(yaml`
      cubes:
        - name: a
          title: \{x\} \n
    `).toBe('cubes:\n  - name: a\n    title: \\{x\\} \\n\n');
  });

  it('may hold backticks and dollar braces', () => {
    expect(js`cube(\`a\`, { sql: \`\${x}\` });`).toBe('cube(`a`, { sql: `${x}` });');
  });

  it('keeps the column of what is inserted', () => {
    const member = yaml`
      - name: x
        type: count
    `;
    expect(yaml`
      measures:
        ${member}
      title: x
    `).toBe('measures:\n  - name: x\n    type: count\ntitle: x\n');
  });

  it('holds several files', () => {
    const text = yaml`
      # file: cubes/a.yml
      a: 1
      // file: b.js
      b();
    `;
    expect([...filesIn(text)]).toEqual([
      ['cubes/a.yml', 'a: 1\n'],
      ['b.js', 'b();\n'],
    ]);
    expect(() => filesIn(`x\n${text}`)).toThrow('begins with the line of its first file');
  });
});

describe('drawn problems', () => {
  it('stand below their lines, by file', () => {
    const text = yaml`
      # file: a.yml
      cubes:
        - name: a
          sql_table: t
          shown: yes
      # file: b.yml
      cubes:
        - name: b
          sql_tabl: t
    `;
    expect(problems(text)).toMatchInlineSnapshot(`
      a.yml
      4     shown: yes
            ~~~~~ hint deprecated: \`shown\` is the old name of \`public\`.
                   ~~~ error bad-boolean: \`shown\` must be true or false, not \`yes\`.
      b.yml
      3     sql_tabl: t
            ~~~~~~~~ error unknown-key: A cube has no key \`sql_tabl\`. Did you mean \`sql_table\`?
    `);
  });
});
