import { type CompletionItem, CompletionItemKind, InsertTextFormat } from 'vscode-languageserver';
import type { Cursor } from '#model/cursor/cursor.ts';
import type { ShapeName } from '#model/language/types.ts';
import { textIn } from '#model/locate.ts';
import { KEYWORDS, sqlWords } from '#model/sql/completion-words.ts';
import { lexSql, type SqlToken } from '#model/sql/lexer.ts';
import { AGGREGATE_FUNCTIONS } from '#model/sql/words.ts';
import type { EntitySymbol } from '#model/symbols.ts';
import { tableOfCube } from '#model/tables/cube-table.ts';
import { identifier, quotedIdentifier } from '#model/tables/identifiers.ts';
import type { Table, TableColumn } from '#model/tables/table.ts';
import type { TableCatalog } from '#model/tables/table-catalog.ts';
import { isOfRows } from './rank-items.ts';
import { inEveryRow } from './candidates.ts';
import type { ValueContext } from './value-context.ts';

/** Definitions whose SQL is about rows of the cube's table. */
const OF_ROWS: ReadonlySet<ShapeName | undefined> = new Set<ShapeName | undefined>([
  'dimension',
  'measure',
  'segment',
  'join',
  'sqlOnly',
  'caseWhen',
  'caseElse',
  'granularity',
]);
/** Words that are values, or end one. */
const VALUES = new Set(['end', 'null', 'true', 'false']);
const BEFORE_VALUE = new Set(KEYWORDS.map((word) => word.toLowerCase()).filter((word) => !VALUES.has(word)));

/**
 * Returns columns of the cube's table and keywords of SQL, outside of braces; names of tables where a cube names one. Returns
 * nothing if the tables are unknown, or if it is unknown which of them is meant.
 */
export function sqlItems(given: ValueContext): CompletionItem[] {
  const written = fromItsStart(given);
  const { cursor, opened, owner } = written;
  const catalog = opened.root.tables?.catalog;
  const quote = quoteOf(written);
  if (!catalog || !owner || ('quoted' in cursor && cursor.quoted !== true)) return [];
  const before = sqlBefore(written.word, quote);
  if (before === undefined) return [];
  if (cursor.shape === 'cube') return namesTable(cursor, before) ? tableItems(catalog, { quote, before }) : [];
  if (cursor.key !== 'sql' || !OF_ROWS.has(cursor.shape)) return [];
  return rowItems(before, { ...written, owner, catalog, quote });
}

interface RowCursor extends ValueContext {
  readonly owner: EntitySymbol;
  readonly catalog: TableCatalog;
  readonly quote: string;
}

function rowItems(before: string, written: RowCursor): CompletionItem[] {
  const { owner, catalog, cursor, opened, quote } = written;
  const table = tableOfCube(owner, opened.root.index, catalog);
  if (!table) return [];
  const typed = /(?<!\w)\w*$/.exec(before)?.[0] ?? '';
  const at = { quote, before: before.slice(0, before.length - typed.length) };
  const tokens = tokensOf(at.before) ?? [];
  const last = tokens.at(-1);
  if (last?.text === '.') return columnItems(tableBeforeDot(tokens, table, written), catalog, at);
  if (last?.text === '::') return [];
  const isOperand = takesValue(last);
  // Nothing has to follow a value: a list that opens automatically would be in the way.
  if (!isOperand && typed === '') return [];
  // In a condition of two cubes, a column without its cube can belong to either.
  const columns = isOperand && cursor.shape !== 'join' ? columnItems(table, catalog, at) : [];
  return [...columns, ...wordItems(typed, catalog, aggregates(cursor))];
}

/** Extends the word to its backtick: in JavaScript, a word begins after the last reference. */
function fromItsStart(written: ValueContext): ValueContext {
  const { opened, word, wordStart } = written;
  const { text } = opened.file;
  if (opened.file.language !== 'script' || text[wordStart - 1] !== '}') return written;
  const start = text.lastIndexOf('`', wordStart) + 1;
  return { ...written, wordStart: start, word: text.slice(start, wordStart + word.length) };
}

/** Returns the quote around the value, or an empty text. */
function quoteOf({ opened, wordStart }: ValueContext): string {
  const before = textIn(opened.file, Math.max(0, wordStart - 1), wordStart);
  return /["'`]/.test(before) ? before : '';
}

/**
 * Returns the SQL up to the cursor as the engine gets it; `undefined` inside a string, a comment, a reference or after a template
 * statement.
 */
function sqlBefore(word: string, quote: string): string | undefined {
  let sql = word.replace(/^[|>][-+\d]*[ \t]*(?:#.*)?\n/, '');
  const isComment = quote === '' && sql === word && /\s#/.test(word);
  if (isComment || word.includes('{%')) return undefined;
  if (quote === "'") sql = sql.replaceAll("''", "'");
  if (quote === '"') sql = sql.replaceAll('\\"', '"');
  return sql.includes('\\') || tokensOf(sql) === undefined ? undefined : sql;
}

function tokensOf(sql: string): readonly SqlToken[] | undefined {
  // A reference of JavaScript is one of YAML after a dollar sign.
  const plain = sql.replaceAll('${', ' {');
  const read = lexSql({ sql: plain, start: 0, opener: '{', isFolded: false, endsLine: false });
  return read.unclosed || read.lastComment !== undefined ? undefined : read.tokens;
}

/** Whether a value is expected, as at the beginning and after an operator. */
function takesValue(last: SqlToken | undefined): boolean {
  if (!last || last.kind === 'open' || last.kind === 'sign') return true;
  return last.kind === 'word' && BEFORE_VALUE.has(last.text);
}

/** Returns the table of `{cube}.` or of the table's own name; other names may be aliases of anything. */
function tableBeforeDot(tokens: readonly SqlToken[], table: Table, written: RowCursor): Table | undefined {
  const named = tokens.at(-2);
  if (named?.kind === 'word') return named.text === table.name.toLowerCase() ? table : undefined;
  const name = /^\{\s*(\w+)\s*\}$/.exec(named?.kind === 'reference' ? named.text : '')?.[1];
  if (name === 'CUBE' || name === 'TABLE' || name === written.owner.name) return table;
  const { index } = written.opened.root;
  const cube = name === undefined || written.owner.members.has(name) ? undefined : index.entity(name);
  return cube && tableOfCube(cube, index, written.catalog);
}

/** The text around the position of an item. */
interface Around {
  readonly quote: string;
  readonly before: string;
}

function columnItems(table: Table | undefined, catalog: TableCatalog, around: Around): CompletionItem[] {
  return (table?.columns ?? []).flatMap((column, at): CompletionItem[] => {
    const written = columnText(column, catalog);
    if (!canWrite(written, around)) return [];
    return [
      {
        label: column.name,
        kind: CompletionItemKind.Field,
        ...inEveryRow(column.type ?? 'column'),
        sortText: `6${String(at).padStart(4, '0')}`,
        ...(column.description === undefined ? {} : { documentation: column.description }),
        ...(written === column.name ? {} : { insertText: written }),
      },
    ];
  });
}

function columnText({ name, isQuoted }: TableColumn, { database }: TableCatalog): string {
  return isQuoted === true ? quotedIdentifier(name, database) : identifier(name, database);
}

/** Whether YAML or JavaScript reads a text as intended: not if it contains the quotes that surround it. */
function canWrite(text: string, { quote, before }: Around): boolean {
  return /^[\w.$-]+$/.test(text) || (quote === '' ? before.trim() !== '' : !text.includes(quote));
}

/** Whether a cube names a table here. */
function namesTable({ key }: Cursor, before: string): boolean {
  return key === 'sql_table' ? /^[\w.]*$/.test(before) : key === 'sql' && /\b(?:from|join)\s+[\w.]*$/i.test(before);
}

function tableItems({ tables }: TableCatalog, around: Around): CompletionItem[] {
  const sorted = tables.length > MOST_OFFERED ? matchingFirst(tables, around) : tables;
  const offered = sorted.filter(({ relation }) => canWrite(relation, around)).slice(0, MOST_OFFERED);
  return offered.map((table) => ({
    label: table.name,
    kind: CompletionItemKind.Struct,
    ...inEveryRow(table.relation),
    sortText: `6${table.name}`,
    ...(table.description === undefined ? {} : { documentation: table.description }),
    insertText: table.relation,
  }));
}

/** Returns the tables with those before the others whose name has what is typed. */
function matchingFirst(tables: TableCatalog['tables'], { before }: Around): TableCatalog['tables'] {
  const typed = /(?<![\w.])[\w.]*$/.exec(before)?.[0].toLowerCase() ?? '';
  if (typed === '') return tables;
  return [...new Set([...tables.filter(({ relation }) => relation.toLowerCase().includes(typed)), ...tables])];
}

/** The most tables that an editor can filter at once; of more, those that match what is typed come first. */
export const MOST_OFFERED = 5_000;

type Aggregates = 'fitting' | 'misleading';

/** Returns whether aggregates fit: they are a mistake in SQL about rows, and where the measure itself aggregates. */
function aggregates(cursor: Cursor): Aggregates {
  return cursor.shape === 'measure' && !isOfRows(cursor) ? 'fitting' : 'misleading';
}

/** Returns words in the case of the typed text. */
function wordItems(typed: string, { database }: TableCatalog, aggregate: Aggregates): CompletionItem[] {
  const { words, functions } = sqlWords(database);
  const isLower = typed !== '' && typed === typed.toLowerCase();
  const spelt = (word: string): string => (isLower && word === word.toUpperCase() ? word.toLowerCase() : word);
  const fitting = functions.filter(
    ({ name }) => aggregate === 'fitting' || !AGGREGATE_FUNCTIONS.has(name.toLowerCase()),
  );
  return [
    ...fitting.map(({ name, signature }) => ({
      label: spelt(name),
      kind: CompletionItemKind.Method,
      detail: signature,
      sortText: `7${name}`,
      insertText: `${spelt(name)}($0)`,
      insertTextFormat: InsertTextFormat.Snippet,
    })),
    ...words.map((word) => ({
      label: spelt(word),
      kind: CompletionItemKind.Keyword,
      detail: 'SQL',
      sortText: `8${word}`,
    })),
  ];
}
