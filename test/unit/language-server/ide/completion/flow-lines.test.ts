import { describe, expect, it } from 'vitest';
import { yaml } from '#support/language/raw.ts';
import { completionItems, problems } from '#support/language/show.ts';

const model = (measure: string): string => yaml`
  cubes:
    - name: orders
      sql_table: orders
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
      measures:
        - {name: count, type: count}
        ${measure}
`;
const labels = (measure: string): readonly string[] => completionItems(model(measure)).map(({ label }) => label);

describe('completion in brackets over several lines', () => {
  // @shows completion-of-members
  it('knows what the other lines of a definition hold', () => {
    expect(labels('- {name: total, type: sum,\n   sql: "{CUBE.$0}"}')).toEqual(['id', 'count']);
    expect(labels('- {name: total,\n   type: number,\n   sql: "{CUBE.$0}"}')).toEqual(['count', 'id']);
  });

  it('offers the items of a list that opened on a line above', () => {
    expect(labels('- {name: total, type: count, drill_members: [\n   $0\n  ]}')).toEqual(
      expect.arrayContaining(['id', 'count']),
    );
  });

  it('offers keys that are not written yet', () => {
    expect(labels('- {name: total,\n   type: sum,\n   $0}')).not.toContain('type');
    expect(labels('- {name: total, type: sum}\n- $0')).toContain('type');
    expect(labels('- {name: total, type: sum}\n- name: x\n  $0')).toContain('type');
  });
});

describe('tabs that indent', () => {
  it('have one problem, whatever would belong where', () => {
    const text = 'cubes:\n  - name: a\n\tsql_table: t\n\tmeasures:\n\t\t- name: n\n\t\t  type: count\n';
    expect(problems(text).drawn.match(/(?:error|warning) [a-z-]+/g)).toEqual(['error tab-indent']);
  });
});
