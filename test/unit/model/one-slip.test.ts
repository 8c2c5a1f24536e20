import { describe, expect, it } from 'vitest';
import { problemsOf } from '#support/language/problems.ts';
import { yaml } from '#support/language/raw.ts';

const model = yaml`
  cubes:
    - name: orders
      sql_table: public.orders

      measures:
        - name: count
          type: count

      dimensions:
        - name: id
          sql: id
          type: number
          primary_key: true
        - name: status
          sql: status
          type: string
`;
const lines = model.split('\n');
const slips = lines.flatMap((line, at) =>
  [2, 1, -1, -2]
    .filter((by) => line.trim() !== '' && at > 0 && (by > 0 || line.startsWith(' '.repeat(-by))))
    .map((by) => {
      const slipped = by > 0 ? ' '.repeat(by) + line : line.slice(-by);
      return { at: at + 1, by, text: lines.with(at, slipped).join('\n') };
    }),
);

describe('a line with the wrong indentation', () => {
  it.each(slips)('has one syntax error: line $at moved by $by', ({ at, text }) => {
    const errors = problemsOf({ 'm.yml': text }).filter(({ code }) => code === 'yaml-syntax');
    expect(errors).toHaveLength(1);
    expect(errors[0]?.line).toBeGreaterThanOrEqual(at - 2);
  });
});
