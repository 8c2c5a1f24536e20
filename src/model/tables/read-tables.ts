import { parsedJson } from '#base/json.ts';
import { tablesOfCatalog, withCatalog } from './dbt-catalog.ts';
import { tablesOfManifest } from './dbt-manifest.ts';
import { identifier } from './identifiers.ts';
import { LONGEST_TABLES, type Table, type TablesRead } from './table.ts';
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

export interface KnownTables {
  /** Undefined if no file lists any. */
  readonly catalog: TableCatalog | undefined;
  /** Sentences for the user about files that were not read. */
  readonly problems: readonly string[];
}

/** Reads the tables that the files of one folder list. A saved list comes first; never throws. */
export function readTables(texts: TableTexts): KnownTables {
  const problems: string[] = [];
  const checked = <T extends TablesRead>(file: keyof TableTexts, read: (json: unknown) => T): T | undefined => {
    const text = texts[file];
    if (text === undefined) return undefined;
    const known = jsonOf(text, read);
    if (!('problem' in known)) return known;
    problems.push(`${TABLE_FILES[file]} was not read: ${known.problem}.`);
    return undefined;
  };
  const list = checked('list', tablesOfList);
  const manifest = checked('manifest', tablesOfManifest);
  const type = 'database' in (manifest ?? {}) ? databaseOf(manifest) : databaseOf(list);
  const catalog = checked('catalog', (json) => tablesOfCatalog(json, type));
  if (!list && !manifest && !catalog) return { catalog: undefined, problems };
  const ofDbt = withCatalog(manifest?.tables ?? [], catalog?.tables ?? []);
  const database = databaseOf(list) ?? type;
  const tables = apart(known(tablesIn(list), ofDbt), database);
  return { catalog: new TableCatalog(tables, database), problems };
}

function jsonOf<T extends TablesRead>(text: string, read: (json: unknown) => T): T | { readonly problem: string } {
  if (text.length > LONGEST_TABLES) return { problem: `it is longer than ${LONGEST_TABLES / 1e6} million characters` };
  // Editors on some systems add a byte order mark.
  const json = parsedJson(text.replace(/^\uFEFF/, ''));
  return json === undefined ? { problem: 'it is not JSON' } : read(json);
}

function databaseOf(read: TablesRead | undefined): string | undefined {
  return read && 'tables' in read ? read.database : undefined;
}

function tablesIn(read: TablesRead | undefined): readonly Table[] {
  return read && 'tables' in read ? read.tables : [];
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
