import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editFile } from '#model/edit.ts';
import { parseFile } from '#model/file.ts';
import { LONGEST, whyUnreadable } from '#model/limits.ts';
import { spend, TooMuchWork, withinWork } from '#model/syntax/work.ts';
import { problemsOf } from '#support/language/problems.ts';
import { hostileTexts } from '#support/language/hostile-texts.ts';
import { indented, jinja, js, yaml } from '#support/language/raw.ts';

const SIZES = [1_000, 4_000, 16_000];
const reasonsOf = (path: string, text: string): readonly string[] =>
  parseFile(path, text).problems.flatMap(({ code, message }) => (code === 'not-checked' ? [message] : []));

describe('texts that no user writes', () => {
  it.each(Object.entries(hostileTexts))('%s is read, or left alone with a reason, at every size', (path, make) => {
    for (const size of SIZES) {
      const file = parseFile(path, make(size));
      const reasons = file.problems.filter(({ code }) => code === 'not-checked');
      expect(reasons.length).toBeLessThanOrEqual(1);
      expect(
        reasons.every(
          ({ start, message }) => start === 0 && /^Modelbench does not check this file: .+\.$/.test(message),
        ),
      ).toBe(true);
      expect(file.text).toHaveLength(make(size).length);
    }
  });

  it('are names, in the place of a pattern of names: a prefix of a view with levels of a joined cube', () => {
    const model = yaml`
      cubes:
        - name: orders
          sql_table: orders
          joins:
            - name: customers
              relationship: many_to_one
              sql: "{CUBE}.customer_id = {customers.id}"
          dimensions:
            - name: id
              sql: id
              type: number
              primary_key: true
          hierarchies:
            - name: place
              levels: [id, customers.city]
        - name: customers
          sql_table: customers
          dimensions:
            - name: city
              sql: city
              type: string
      views:
        - name: sales
          cubes:
            - join_path: orders
              includes: "*"
            - join_path: orders.customers
              alias: "((a+)+"
              prefix: true
              includes: "*"
    `;
    expect(() => problemsOf({ 'model/a.yml': model })).not.toThrow();
  });

  it('does not stop the process, in whatever order their pieces come', () => {
    const piece = fc.constantFrom(
      '{{ ',
      '}}',
      '{% if a %}',
      '[ ',
      ']',
      '{',
      '}',
      "'",
      '"',
      '`',
      '${',
      'cube(`a`, {\n',
      '\n',
      '\r',
      '- ',
      'a: ',
      '&a ',
      '*a',
      '<<<<<<< x\n',
      '=======\n',
      '>>>>>>> y\n',
      '\\',
      '#',
      '\t',
      '  ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), fc.constantFrom('a.yml', 'a.js', 'a.jinja'), (pieces, path) => {
        const text = pieces.join('');
        expect(parseFile(path, text).text).toBe(text);
      }),
      { numRuns: 400 },
    );
  });

  it('count again as soon as they change to something that can be read', () => {
    const broken = parseFile('a.yml', '[ '.repeat(5_000));
    expect(broken.problems.map(({ code }) => code)).toEqual(['not-checked']);
    const text = yaml`
      cubes:
        - name: a
          sql_table: b
    `;
    const file = editFile(broken, text, [{ start: 0, end: 10_000, text }]);
    expect(file.problems).toEqual([]);
    expect(file.chunks).toHaveLength(1);
  });

  it.each([2, 4, 5, 8])(
    'do not count after a key exactly where the whole file would not, indented by %i',
    (columns) => {
      const item = (name: string, meta: string): string =>
        `${' '.repeat(columns)}- name: ${name}\n${' '.repeat(columns + 2)}meta: ${meta}\n`;
      for (const depth of [1, 74, 75, 76, 149, 150, 151]) {
        const [one, other] = ['['.repeat(depth), '['.repeat(75)];
        const before = `cubes:\n${item('a', 'x')}${item('b', other)}${item('c', ']')}`;
        const file = parseFile('a.yml', before);
        const start = before.indexOf('meta: x') + 'meta: '.length;
        const text = before.replace('meta: x', `meta: ${one}`);
        const edited = editFile(file, text, [{ start, end: start + 1, text: one }]);
        expect(edited.problems).toEqual(parseFile('a.yml', text).problems);
      }
    },
  );

  it('says of a file that is too long, too deep or too broken which it is', () => {
    const reasons = {
      'too long': reasonsOf('a.yml', 'a'.repeat(LONGEST + 1)),
      'too deep': reasonsOf('a.js', '['.repeat(1_000)),
      'too deep templates': reasonsOf('a.js', `x = ${'`${'.repeat(1_200)}1${'}`'.repeat(1_200)}`),
      'too broken': reasonsOf('a.js', `x = a${'.a'.repeat(100_000)}`),
    };
    expect(reasons).toMatchInlineSnapshot(`
      {
        "too broken": [
          "Modelbench does not check this file: its expressions are too long.",
        ],
        "too deep": [
          "Modelbench does not check this file: brackets are nested more than 150 deep in it, or never closed.",
        ],
        "too deep templates": [
          "Modelbench does not check this file: brackets are nested more than 150 deep in it, or never closed.",
        ],
        "too long": [
          "Modelbench does not check this file: it is longer than 10 million characters.",
        ],
      }
    `);
  });
});

describe('what is read all the same', () => {
  it('many open brackets in as many definitions, each of which is reported', () => {
    const text = `cubes:\n${indented(
      2,
      yaml`
        - name: a
          sql: "("
          meta: [
      `,
    ).repeat(400)}`;
    expect(whyUnreadable(text)).toBeUndefined();
    expect(reasonsOf('a.yml', text)).toEqual([]);
  });

  it('brackets a hundred deep', () => {
    const text = `cubes:\n  - name: a\n    meta: ${'['.repeat(100)}${']'.repeat(100)}\n`;
    expect(reasonsOf('a.yml', text)).toEqual([]);
  });
});

describe('withinWork', () => {
  it('stops a reader that reads too much, and counts each reader separately', () => {
    const greedy = (): void => {
      for (let at = 0; at < 100; at++) spend(10);
    };
    expect(() => withinWork(999, greedy)).toThrow(TooMuchWork);
    expect(() => withinWork(1_000, greedy)).not.toThrow();
    expect(() =>
      withinWork(10, () => {
        withinWork(1_000, greedy);
        spend(10);
      }),
    ).not.toThrow();
    expect(greedy).not.toThrow();
  });
});

describe('names that every object of JavaScript has', () => {
  const names = ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty'];

  it.each(names)('behave like any other, wherever a model may hold one: %s', (name) => {
    const model = yaml`
      cubes:
        - name: ${name}
          sql_table: t
          ${name}:
            - name: a
          public: ${name}
          dimensions:
            - name: ${name}
              sql: "{${name}} {${name}.${name}}"
              type: ${name}
              format: ${name}
          joins:
            - name: ${name}
              relationship: ${name}
              sql: "{CUBE}.a = {${name}.a}"
    `;
    const script = js`
      ${name}('a', { sql: 'SELECT 1' });
      cube('${name}', { ${name}: { a: {} }, sql: \`SELECT 1\` });
    `;
    const template = jinja`
      {% ${name} %}
      cubes: {{ x | ${name} }}
    `;
    const found = problemsOf({ 'a.yml': model, 'b.js': script, 'c.yml.jinja': template });
    expect(found.every(({ message }) => !/function|\[native code\]/.test(message))).toBe(true);
    expect(parseFile('b.js', script).chunks.flatMap(({ chunk }) => chunk.entities.map(({ kind }) => kind))).toEqual([
      'cube',
    ]);
  });
});
