import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ignores, lineOfIgnore } from '#model/ignores.ts';
import type { Drawn } from '#support/language/drawn.ts';
import { js, yaml } from '#support/language/raw.ts';
import { afterAction, lines, problems, textAfter } from '#support/language/show.ts';

/** The lines of a text without its last break, with `off` before those for which the code `a` is off. */
function off(whole: string): Drawn {
  const text = whole.replace(/\r?\n$/, '');
  const isOff = ignores(text);
  let at = 0;
  return lines(
    text.split('\n').map((line) => {
      const start = at;
      at += line.length + 1;
      return `${isOff('a', start) ? 'off' : 'on '} | ${line}`.trimEnd();
    }),
  );
}

describe('a comment that switches problems off', () => {
  it('covers the line that it is in', () => {
    const text = yaml`
      x: 1 # modelbench-ignore: a
      y: 2
    `;
    expect(off(text)).toMatchInlineSnapshot(`
      off | x: 1 # modelbench-ignore: a
      on  | y: 2
    `);
  });

  it('covers the line below', () => {
    const text = yaml`
      # modelbench-ignore: a
      x: 1
      y: 2
    `;
    expect(off(text)).toMatchInlineSnapshot(`
      off | # modelbench-ignore: a
      off | x: 1
      on  | y: 2
    `);
  });

  it('covers each of several codes', () => {
    const text = yaml`
      # modelbench-ignore: b, a
      x: 1
      y: 2
    `;
    expect(off(text)).toMatchInlineSnapshot(`
      off | # modelbench-ignore: b, a
      off | x: 1
      on  | y: 2
    `);
  });

  it('covers all codes where it names none', () => {
    const text = yaml`
      # modelbench-ignore
      x: 1
      y: 2
    `;
    expect(off(text)).toMatchInlineSnapshot(`
      off | # modelbench-ignore
      off | x: 1
      on  | y: 2
    `);
  });

  it('covers a line below further comments', () => {
    const text = yaml`
      # modelbench-ignore: a
      # modelbench-ignore: b
      x: 1
      y: 2
    `;
    expect(off(text)).toMatchInlineSnapshot(`
      off | # modelbench-ignore: a
      off | # modelbench-ignore: b
      off | x: 1
      on  | y: 2
    `);
  });

  it('covers a text block below', () => {
    const text = yaml`
      x:
        # modelbench-ignore: a
        sql: >
          SELECT

          1
        y: 2
    `;
    expect(off(text)).toMatchInlineSnapshot(`
      on  | x:
      off |   # modelbench-ignore: a
      off |   sql: >
      off |     SELECT
      off |
      off |     1
      on  |   y: 2
    `);
  });

  it('covers the whole file', () => {
    const text = yaml`
      x: 1
      # modelbench-ignore-file: a
      y: 2
    `;
    expect(off(text)).toMatchInlineSnapshot(`
      off | x: 1
      off | # modelbench-ignore-file: a
      off | y: 2
    `);
  });

  it('covers a blank line below', () => {
    const text = yaml`
      # modelbench-ignore: a

      x: 1
    `;
    expect(off(text)).toMatchInlineSnapshot(`
      off | # modelbench-ignore: a
      off |
      on  | x: 1
    `);
  });

  it('covers what is below it in a script', () => {
    const text = js`
      cube(\`a\`, {
        // modelbench-ignore: a
        x: 1,
        y: 2,
      });
    `;
    expect(off(text)).toMatchInlineSnapshot(`
      on  | cube(\`a\`, {
      off |   // modelbench-ignore: a
      off |   x: 1,
      on  |   y: 2,
      on  | });
    `);
  });

  it('covers the line below where lines end as on Windows', () => {
    const text = yaml`
      # modelbench-ignore: a
      x: 1
      y: 2
    `;
    expect(off(text.replaceAll('\n', '\r\n'))).toMatchInlineSnapshot(`
      off | # modelbench-ignore: a
      off | x: 1
      on  | y: 2
    `);
  });

  it('covers nothing of another code', () => {
    const text = yaml`
      # modelbench-ignore: b
      x: 1
      y: 2
    `;
    expect(off(text)).toMatchInlineSnapshot(`
      on  | # modelbench-ignore: b
      on  | x: 1
      on  | y: 2
    `);
  });

  it('covers nothing behind a longer word', () => {
    const text = yaml`
      # modelbench-ignored: a
      x: 1
    `;
    expect(off(text)).toMatchInlineSnapshot(`
      on  | # modelbench-ignored: a
      on  | x: 1
    `);
  });

  // @shows ignore-comments
  it('stands above a text block with the problem', () => {
    const model = yaml`
      cubes:
        - name: a
          sql: >
            SELECT *
            FROM {nope.x}
    `;
    expect(problems(model)).toMatchInlineSnapshot(`
      5       FROM {nope.x}
                    ~~~~ warning late-reference: \`nope\` is neither a cube nor a member of \`a\`.
    `);
    expect(afterAction(model, 'Ignore')).toMatchInlineSnapshot(`3 +     # modelbench-ignore: late-reference`);
    expect(problems(textAfter(model, 'Ignore'))).toMatchInlineSnapshot(`nothing`);
  });

  // @shows ignore-comments
  it('stands above the line of a script with the problem', () => {
    const model = js`
      // file: a.js
      cube(\`a\`, {
        sql_table: \`t\`,
        shown: true,
      });
    `;
    expect(problems(model)).toMatchInlineSnapshot(`
      3   shown: true,
          ~~~~~ hint deprecated: \`shown\` is the old name of \`public\`.
    `);
    expect(afterAction(model, 'Ignore')).toMatchInlineSnapshot(`3 +   // modelbench-ignore: deprecated`);
    expect(problems(`// file: a.js\n${textAfter(model, 'Ignore')}`)).toMatchInlineSnapshot(`nothing`);
  });

  it('holds for the line that it was put above, whatever the text', () => {
    const line = fc.constantFrom('x:', '  sql: |', '    SELECT 1', '', '  # note', '  y: 2', '- z');
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.nat(), (all, seed) => {
        const text = all.join('\n');
        const offset = seed % (text.length + 1);
        const at = lineOfIgnore(text, offset);
        expect(at === 0 || text[at - 1] === '\n').toBe(true);
        expect(at).toBeLessThanOrEqual(offset);
      }),
      { numRuns: 300, seed: 3 },
    );
  });
});
