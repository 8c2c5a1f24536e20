import { type CompletionItem, CompletionItemKind, InsertTextFormat, type Range } from 'vscode-languageserver';
import type { Cursor } from '#model/cursor/cursor.ts';
import type { ShapeName } from '#model/language/types.ts';

interface Snippet {
  readonly label: string;
  readonly detail: string;
  readonly lines: readonly string[];
}

/** Snippets of whole definitions, by the shape that they create. */
const SNIPPETS: Partial<Readonly<Record<ShapeName, readonly Snippet[]>>> = {
  file: [
    {
      label: 'cube',
      detail: 'A new cube',
      lines: [
        'cubes:',
        '  - name: ${1:name}',
        '    sql_table: ${2:schema.table}',
        '',
        '    dimensions:',
        '      - name: ${3:id}',
        '        sql: ${3:id}',
        '        type: ${4|number,string|}',
        '        primary_key: true',
        '',
        '    measures:',
        '      - name: count',
        '        type: count',
        '$0',
      ],
    },
    {
      label: 'view',
      detail: 'A new view',
      lines: [
        'views:',
        '  - name: ${1:name}',
        '    cubes:',
        '      - join_path: ${2:cube}',
        '        includes: "*"',
        '$0',
      ],
    },
  ],
  cube: [
    {
      label: 'cube',
      detail: 'A new cube',
      lines: [
        'name: ${1:name}',
        'sql_table: ${2:schema.table}',
        '',
        'dimensions:',
        '  - name: ${3:id}',
        '    sql: ${3:id}',
        '    type: ${4|number,string|}',
        '    primary_key: true',
        '',
        'measures:',
        '  - name: count',
        '    type: count',
        '$0',
      ],
    },
  ],
  view: [
    {
      label: 'view',
      detail: 'A new view',
      lines: ['name: ${1:name}', 'cubes:', '  - join_path: ${2:cube}', '    includes: "*"', '$0'],
    },
  ],
  dimension: [
    {
      label: 'dimension',
      detail: 'A new dimension',
      lines: ['name: ${1:name}', 'sql: ${2:$1}', 'type: ${3|string,number,time,boolean|}', '$0'],
    },
    {
      label: 'time dimension',
      detail: 'A new time dimension',
      lines: ['name: ${1:created_at}', 'sql: ${2:$1}', 'type: time', '$0'],
    },
  ],
  measure: [
    {
      label: 'measure',
      detail: 'A new measure',
      lines: ['name: ${1:name}', 'type: ${2|sum,avg,min,max,count_distinct|}', 'sql: ${3:column}', '$0'],
    },
    {
      label: 'ratio',
      detail: 'A measure from two others',
      lines: [
        'name: ${1:ratio}',
        'type: number',
        'sql: "1.0 * {${2:measure}} / NULLIF({${3:measure}}, 0)"',
        'format: percent',
        '$0',
      ],
    },
  ],
  join: [
    {
      label: 'join',
      detail: 'A new join',
      lines: [
        'name: ${1:cube}',
        'relationship: ${2|many_to_one,one_to_many,one_to_one|}',
        'sql: "{CUBE.${3:key}} = {$1.${4:id}}"',
        '$0',
      ],
    },
  ],
  preAggregation: [
    {
      label: 'rollup',
      detail: 'A new rollup',
      lines: [
        'name: ${1:main}',
        'measures:',
        '  - ${2:count}',
        'dimensions:',
        '  - ${3:status}',
        'time_dimension: ${4:created_at}',
        'granularity: ${5|day,week,month|}',
        '$0',
      ],
    },
  ],
  viewCube: [
    { label: 'join path', detail: 'Members of a cube', lines: ['join_path: ${1:cube}', 'includes: "*"', '$0'] },
  ],
};

/** Returns definitions that may start at the cursor. */
export function itemSnippets(cursor: Cursor, range: Range): CompletionItem[] {
  const snippets = cursor.shape === undefined || cursor.siblings.size > 0 ? undefined : SNIPPETS[cursor.shape];
  return (snippets ?? []).map(({ label, detail, lines }) => ({
    label,
    detail,
    kind: CompletionItemKind.Snippet,
    sortText: `9${label}`,
    insertTextFormat: InsertTextFormat.Snippet,
    textEdit: { range, newText: lines.join('\n') },
  }));
}
