import { isStringPrefix } from '../language/string-prefix.ts';
import { dimensionTypeOf } from './dimension-type.ts';
import { identifier, quotedIdentifier } from './identifiers.ts';
import type { Table, TableColumn } from './table.ts';

export interface GeneratedCube {
  readonly name: string;
  /** A YAML file that contains only the cube. */
  readonly text: string;
}

/** The context that the cube is written for. */
export interface CubeSurroundings {
  /** Checks whether an item of the model already has this name. */
  readonly isTaken: (name: string) => boolean;
  /** The kind of database, if known. */
  readonly database?: string | undefined;
}

/**
 * Generates a cube on a table: a dimension for each column, a count, and a primary key if one is certain (the columns that are
 * declared as such, else one that is called `id`, else one that is known to be unique and never null).
 */
export function generateCube(table: Table, { isTaken, database }: CubeSurroundings): GeneratedCube {
  const name = freeName(snakeCase(table.name, 'table'), isTaken);
  const { columns } = table;
  const keys = primaryKey(columns);
  const names = new Set<string>();
  const dimensions = columns.flatMap((column) => {
    const own = freeName(snakeCase(column.name, 'column'), (candidate) => names.has(candidate));
    names.add(own);
    return dimension(own, column, keys.includes(column), database);
  });
  const count = freeName('count', (candidate) => names.has(candidate), 'row_count');
  const lines = [
    'cubes:',
    `  - name: ${name}`,
    `    sql_table: ${yamlText(unlikePrefix(table.relation, ' '))}`,
    ...description('    ', table.description),
    ...(dimensions.length === 0 ? [] : ['', '    dimensions:', ...dimensions]),
    '',
    '    measures:',
    `      - name: ${count}`,
    '        type: count',
  ];
  return { name, text: `${lines.join('\n')}\n` };
}

function dimension(name: string, column: TableColumn, isKey: boolean, database: string | undefined): readonly string[] {
  const quoted = column.isQuoted === true;
  const sql = quoted ? quotedIdentifier(column.name, database) : identifier(column.name, database);
  return [
    `      - name: ${name}`,
    `        sql: ${yamlText(`{CUBE}.${sql}`)}`,
    `        type: ${dimensionTypeOf(column.type)}`,
    ...(isKey ? ['        primary_key: true'] : []),
    ...description('        ', column.description),
  ];
}

function primaryKey(columns: readonly TableColumn[]): readonly TableColumn[] {
  const declared = columns.filter(({ isPrimaryKey }) => isPrimaryKey === true);
  if (declared.length > 0) return declared;
  const id = columns.find(({ name }) => name.toLowerCase() === 'id') ?? columns.find(({ isKey }) => isKey === true);
  return id ? [id] : [];
}

/**
 * Returns the lines of a description. Braces and backslashes have a meaning to the engine, so similar characters replace them.
 */
function description(indent: string, text: string | undefined): readonly string[] {
  const plain = (text ?? '')
    .replaceAll('{', '(')
    .replaceAll('}', ')')
    .replaceAll('\\', '/')
    .replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029\s]+/gu, ' ')
    .trim();
  return plain === '' ? [] : [`${indent}description: ${yamlText(unlikePrefix(plain, '.'))}`];
}

/** Adds an ending without a meaning to a text that the engine would mistake for the prefix of a formatted string. */
function unlikePrefix(text: string, ending: string): string {
  return isStringPrefix(text) ? text + ending : text;
}

/** Formats a text as YAML: in single quotes if it contains double ones, which then need no escapes. */
function yamlText(text: string): string {
  if (/^[A-Za-z_][\w.]*$/.test(text) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text)) return text;
  return text.includes('"') ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}

/** Converts `Order Date`, `orderDate` to `order_date`, a name that the engine accepts. */
function snakeCase(text: string, fallback: string): string {
  const words = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toLowerCase();
  if (words === '') return fallback;
  // The engine takes any name with this word for one of its keys.
  const free = words.replaceAll('extends', 'extended');
  return /^\d/.test(free) || RESERVED.has(free) || isStringPrefix(free) ? `${fallback}_${free}` : free;
}

/**
 * Keywords of Python, which cannot be names because the engine reads references in YAML as Python, `null` of YAML, and names that
 * the engine uses itself.
 */
const RESERVED = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in is lambda ' +
    'nonlocal not or pass raise return try while with yield none null true false print exec cube table constructor sql sql_table'
  ).split(' '),
);

function freeName(wanted: string, isTaken: (name: string) => boolean, second?: string): string {
  if (!isTaken(wanted)) return wanted;
  if (second !== undefined && !isTaken(second)) return second;
  let count = 2;
  while (isTaken(`${wanted}_${count}`)) count++;
  return `${wanted}_${count}`;
}
