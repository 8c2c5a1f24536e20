import { type CompletionItem, CompletionItemKind, InsertTextFormat, type Range } from 'vscode-languageserver';
import type { ShapeName } from '#model/language/types.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';

/** A new member, by its kind. */
const MEMBERS: Partial<Readonly<Record<ShapeName, readonly string[]>>> = {
  measure: [
    '${1:total}: {',
    '\ttype: `${2|count,sum,avg,min,max,count_distinct,number|}`,',
    '\tsql: `${3:amount}`,',
    '},',
  ],
  dimension: ['${1:name}: {', '\ttype: `${2|string,number,time,boolean|}`,', '\tsql: `${3:column}`,', '},'],
  segment: ['${1:name}: {', '\tsql: `\\${CUBE}.${2:column} = 1`,', '},'],
  hierarchy: ['${1:name}: {', '\tlevels: [$2],', '},'],
  preAggregation: ['${1:main}: {', '\tmeasures: [$2],', '\tdimensions: [$3],', '},'],
};

const DEFINITIONS: Readonly<Record<string, readonly string[]>> = {
  cube: [
    'cube(`${1:name}`, {',
    '\tsql_table: `${2:schema.table}`,',
    '',
    '\tdimensions: {',
    '\t\t${3:id}: {',
    '\t\t\tsql: `${3:id}`,',
    '\t\t\ttype: `${4|number,string|}`,',
    '\t\t\tprimary_key: true,',
    '\t\t},',
    '\t},',
    '',
    '\tmeasures: {',
    '\t\tcount: {',
    '\t\t\ttype: `count`,',
    '\t\t},',
    '\t},',
    '});',
  ],
  view: [
    'view(`${1:name}`, {',
    '\tcubes: [',
    '\t\t{',
    '\t\t\tjoin_path: ${2:cube},',
    '\t\t\tincludes: `*`,',
    '\t\t},',
    '\t],',
    '});',
  ],
};

/** Returns snippets of new members, where names of members are expected. */
export function memberSnippets(shape: ShapeName, range: Range): CompletionItem[] {
  const lines = MEMBERS[shape];
  return lines
    ? [snippet(`new ${shape === 'preAggregation' ? 'pre-aggregation' : shape}`, 'In a script', lines, range)]
    : [];
}

/** Returns the arguments of a definition whose call is begun: `cube(`, and what follows its name: `cube('a', `. */
export function argumentSnippets({ file, positions }: Opened, offset: number): CompletionItem[] {
  const before = file.text.slice(Math.max(0, offset - 200), offset);
  const [, call = '', name] = /(?<![\w.])(cube|view)\s*\(\s*([`'"]\w+[`'"]\s*,\s*)?$/.exec(before) ?? [];
  const lines = DEFINITIONS[call];
  if (!lines || !/^\s*(?:\)|$)/.test(file.text.slice(offset, offset + 100))) return [];
  const all = lines
    .join('\n')
    .replace(/^\w+\(/, '')
    .replace(/\);$/, '');
  const text = name === undefined ? all : all.slice(all.indexOf(', ') + 2);
  return [snippet('{ … }', `A new ${call}`, [text], rangeOf(positions, offset, offset))];
}

/** Returns new definitions, at the start of a line outside of others. */
export function definitionSnippets({ file, positions }: Opened, offset: number): CompletionItem[] {
  const line = file.text.slice(file.text.lastIndexOf('\n', offset - 1) + 1, offset);
  if (!/^\w*$/.test(line)) return [];
  const range = rangeOf(positions, offset - line.length, offset);
  return Object.entries(DEFINITIONS).map(([label, lines]) => snippet(label, `A new ${label}`, lines, range));
}

function snippet(label: string, detail: string, lines: readonly string[], range: Range): CompletionItem {
  const newText = lines.join('\n');
  return {
    label,
    detail,
    kind: CompletionItemKind.Snippet,
    sortText: `00${label}`,
    insertTextFormat: InsertTextFormat.Snippet,
    textEdit: { range, newText },
  };
}
