import { describe, expect, it } from 'vitest';
import { definesName } from '#features/chat/defined-names.ts';

describe('definesName', () => {
  it.each([
    ['yaml', '  - name: orders'],
    ['yaml', '      - name: "count"'],
    ['yaml', '      - { name: count, type: count }'],
    ['modelbench-yaml-jinja', '      - name: {{ name }}'],
    ['javascript', 'cube(`orders`, {'],
    ['javascript', "view('sales', {"],
    ['javascript', '    count: {'],
    ['javascript', '    "total": { type: `sum`, sql: `total` },'],
  ])('offers a question in %s on %s', (language, line) => expect(definesName(line, language)).toBe(true));

  it.each([
    ['yaml', '    sql_table: public.orders'],
    ['yaml', '      - name:'],
    ['yaml', '    measures:'],
    ['yaml', '        type: count'],
    ['yaml', '# - a name: of a comment'],
    ['javascript', '  measures: {'],
    ['javascript', '  preAggregations: {'],
    ['javascript', '      type: `count`,'],
    ['javascript', 'const names = [];'],
    ['javascript', ''],
  ])('offers none in %s on %s', (language, line) => expect(definesName(line, language)).toBe(false));
});
