import { describe, expect, it } from 'vitest';
import { problemsOf } from '#support/language/problems.ts';
import { right, wrong } from '#support/language/meaning-cases.ts';
import { modelWith, type Slots } from '#support/language/meaning-model.ts';
import { indented, jinja, js, yaml } from '#support/language/raw.ts';

const found = (slots: Slots): string[] =>
  problemsOf({ 'm.yml': modelWith(slots) }).map(({ code, text }) => `${code}: ${text.split('\n')[0]}`);

describe('the meaning of SQL', () => {
  it.each(wrong)('is judged: $name', ({ slots, reported }) => {
    expect(found(slots)).toEqual(reported);
  });

  it.each(right)('is left alone: %s', (_, slots) => {
    expect(found(slots)).toEqual([]);
  });

  it('is judged in scripts too', () => {
    const text = js`
      cube(\`orders\`, {
        sql_table: \`orders\`,
        measures: {
          a: { type: \`sum\`, sql: \`x\` },
          b: { type: \`sum\`, sql: \`\${a} + 1\` },
          c: { type: \`sum\`, sql: \`ROUND(x\` },
        },
      });
    `;
    expect(problemsOf({ 'm.js': text }).map(({ code, text: marked }) => [code, marked])).toEqual([
      ['incomplete-sql', '('],
      ['nested-aggregate', '${a}'],
    ]);
  });

  it('is not judged where a template decides the text', () => {
    const text = modelWith({ measures: '- {name: x, type: sum, sql: "{{ COMPILE_CONTEXT.part }}({revenue}"}' });
    expect(problemsOf({ 'm.yml': text }).map(({ code }) => code)).toEqual([]);
  });
});

describe('a cube that joins nothing', () => {
  const third = indented(
    2,
    yaml`
      - name: visits
        sql_table: visits
        joins:
          - {name: orders, relationship: many_to_one, sql: "{CUBE}.order_id = {orders.id}"}
          - {name: lone, relationship: many_to_one, sql: "{CUBE}.lone_id = {lone.id}"}
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
    `,
  );

  it('may be reached by a third one, from which queries begin', () => {
    const text = modelWith({ dimensions: '- {name: x, type: number, sql: "{lone.id}"}' }) + third;
    expect(problemsOf({ 'm.yml': text })).toEqual([]);
  });

  it('may be reached by joins that a template makes', () => {
    const text = modelWith({ dimensions: '- {name: x, type: number, sql: "{lone.id}"}' });
    const other = jinja`
      cubes:
        - name: made
          sql_table: made
      {% for x in [] %}
          public: true
      {% endfor %}
    `;
    expect(problemsOf({ 'm.yml': text, 'n.yml': other }).map(({ code }) => code)).toEqual([]);
  });
});
