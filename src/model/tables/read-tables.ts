import { parsedJson } from '#base/json.ts';
import { tablesOfCatalog, withCatalog } from './dbt-catalog.ts';
import { type DbtTable, tablesOfManifest } from './dbt-manifest.ts';
import { identifier } from './identifiers.ts';
import { LONGEST_TABLES, type Table, type TablesOfFile, type TablesProblem } from './table.ts';
import { TableCatalog } from './table-catalog.ts';
import { tablesOfList } from './table-list.ts';

/** Files that list tables, below a folder of the project (docs/tables.md#where-tables-are-known-from). */
export const TABLE_FILES = {
  list: 'modelbench.tables.json',
  manifest: 'target/manifest.json',
  catalog: 'target/catalog.json',
} as const;

/** The texts of such files; undefined for missing ones. */
export type TableTexts = { readonly [file in keyof typeof TABLE_FILES]?: string | undefined };

/** The tables of the files that could be read. */
export interface FilesRead {
  readonly list?: TablesOfFile | undefined;
  readonly manifest?: TablesOfFile<DbtTable> | undefined;
  readonly catalog?: TablesOfFile<DbtTable> | undefined;
}

export interface KnownTables {
  /** Undefined if no file lists any. */
  readonly catalog: TableCatalog | undefined;
  /** Sentences for the user about files that were not read. */
  readonly problems: readonly string[];
}

/**
 * Reads the tables that the files of one folder list. A saved list comes first; never throws. A file that cannot be read any more,
 * because a program is writing it, counts as it was `before`.
 */
export function readTables(texts: TableTexts, before: FilesRead = {}): KnownTables & { readonly read: FilesRead } {
  const problems: string[] = [];
  const list = readFile('list', tablesOfList);
  const manifest = readFile('manifest', tablesOfManifest);
  const type = manifest?.database ?? list?.database;
  const catalog = readFile('catalog', (json) => tablesOfCatalog(json, type));
  return { catalog: joined({ list, manifest, catalog }), problems, read: { list, manifest, catalog } };

  function readFile<F extends keyof FilesRead>(
    file: F,
    readJson: (json: unknown) => Exclude<FilesRead[F], undefined> | TablesProblem,
  ): FilesRead[F] {
    const text = texts[file];
    if (text === undefined) return undefined;
    const known = jsonOf(text, readJson);
    if (!('problem' in known)) return known;
    problems.push(`${TABLE_FILES[file]} was not read${before[file] ? ' again' : ''}: ${known.problem}.`);
    return before[file];
  }
}

function joined({ list, manifest, catalog }: FilesRead): TableCatalog | undefined {
  if (!list && !manifest && !catalog) return undefined;
  const database = list?.database ?? manifest?.database;
  const ofDbt = withCatalog(manifest?.tables ?? [], catalog?.tables ?? []);
  return new TableCatalog(apart(known(list?.tables ?? [], ofDbt), database), database);
}

function jsonOf<T extends object>(text: string, readJson: (json: unknown) => T | TablesProblem): T | TablesProblem {
  if (text.length > LONGEST_TABLES) return { problem: `it is longer than ${LONGEST_TABLES / 1e6} million characters` };
  // Editors on some systems add a byte order mark.
  const json = parsedJson(text.replace(/^\uFEFF/, ''));
  if (json !== undefined) return readJson(json);
  // Every second byte of English texts in UTF-16 is zero, which JSON cannot hold.
  const isUtf16 = text.slice(0, 8).includes('\0');
  return { problem: isUtf16 ? 'it is encoded as UTF-16; save it as UTF-8' : 'it is not JSON' };
}

/**
 * Returns the tables of a saved list, and those of dbt that it does not have. Tools of a database differ in the case of its names,
 * but tables of one source whose names differ in case are different tables.
 */
function known(list: readonly Table[], ofDbt: readonly Table[]): readonly Table[] {
  const listed = new Set(list.map((table) => nameOf(table).toLowerCase()));
  const first = new Map<string, Table>();
  for (const table of [...list, ...ofDbt.filter((each) => !listed.has(nameOf(each).toLowerCase()))])
    if (!first.has(nameOf(table))) first.set(nameOf(table), table);
  return [...first.values()];
}

function nameOf({ database, schema, name }: Table): string {
  return JSON.stringify([database, schema, name]);
}

/** Adds the database to the names of tables that are the same in several databases. */
function apart(tables: readonly Table[], type: string | undefined): readonly Table[] {
  const same = Map.groupBy(tables, ({ relation }) => relation);
  return tables.map((table) => {
    const isShared = (same.get(table.relation) ?? []).some(({ database }) => database !== table.database);
    if (!isShared || table.database === undefined) return table;
    return { ...table, relation: `${identifier(table.database, type)}.${table.relation}` };
  });
}
