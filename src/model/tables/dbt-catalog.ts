import { isJsonObject, type JsonObject, nameIn, objectIn, textIn } from './json-values.ts';
import type { DbtTable } from './dbt-manifest.ts';
import { identifier, isLowerInUpper, quotedIdentifier } from './identifiers.ts';
import { distinctColumns, MOST_COLUMNS, MOST_TABLES, type TableColumn, type TablesRead } from './table.ts';

/** Reads dbt's `target/catalog.json`: the tables of the project as the database describes them. */
export function tablesOfCatalog(json: unknown, database?: string): TablesRead<DbtTable> {
  if (!isJsonObject(json) || !isJsonObject(json['nodes'])) return { problem: 'it is not a catalog of dbt' };
  const nodes = Object.entries({ ...objectIn(json['sources']), ...json['nodes'] }).slice(0, MOST_TABLES);
  return { tables: nodes.flatMap(([id, node]) => tableOf(id, objectIn(node), database)) };
}

function tableOf(id: string, node: JsonObject, type: string | undefined): readonly DbtTable[] {
  const about = objectIn(node['metadata']);
  const name = nameIn(about['name']);
  if (name === undefined) return [];
  const database = nameIn(about['database']);
  const schema = nameIn(about['schema']);
  const relation = [schema, name].flatMap((each) => (each === undefined ? [] : [exactName(each, type)])).join('.');
  const columns = Object.values(objectIn(node['columns'])).map(objectIn).toSorted(byIndex).slice(0, MOST_COLUMNS);
  return [
    {
      ...{ id, database, schema, name, relation, description: textIn(about['comment']) },
      columns: distinctColumns(columns.flatMap((column) => columnOf(column, type))),
    },
  ];
}

/** Returns a name that is spelt as in the database, for SQL. */
function exactName(name: string, type: string | undefined): string {
  return isLowerInUpper(name, type) ? quotedIdentifier(name, type) : identifier(name, type);
}

function byIndex(a: JsonObject, b: JsonObject): number {
  return Number(a['index'] ?? 0) - Number(b['index'] ?? 0) || 0;
}

function columnOf(column: JsonObject, type: string | undefined): readonly TableColumn[] {
  const name = nameIn(column['name']);
  if (name === undefined) return [];
  const isQuoted = isLowerInUpper(name, type);
  return [{ name, type: textIn(column['type'], 200), description: textIn(column['comment']), isQuoted }];
}

/** Merges the documented tables of the project with the types and the further columns and tables of the database. */
export function withCatalog(documented: readonly DbtTable[], found: readonly DbtTable[]): readonly DbtTable[] {
  const byId = new Map(found.map((table) => [table.id, table]));
  const known = new Set(documented.map(({ id }) => id));
  return [
    ...documented.map((table) => merged(table, byId.get(table.id))),
    ...found.filter(({ id }) => !known.has(id)),
  ].slice(0, MOST_TABLES);
}

function merged(documented: DbtTable, found: DbtTable | undefined): DbtTable {
  if (!found) return documented;
  const own = new Map(documented.columns.map((column) => [column.name, column]));
  const anyCase = new Map(documented.columns.map((column) => [column.name.toLowerCase(), column]));
  const names = new Set(found.columns.map(({ name }) => name));
  const columns = found.columns.map(({ name, type, description, isQuoted }) => {
    const similar = anyCase.get(name.toLowerCase());
    // A column of exactly that name is another one.
    const column = own.get(name) ?? (similar && names.has(similar.name) ? undefined : similar);
    return {
      ...column,
      name: column?.isQuoted === true ? column.name : name,
      type: type ?? column?.type,
      description: column?.description ?? description,
      isQuoted: column?.isQuoted === true || isQuoted,
    };
  });
  return { ...documented, description: documented.description ?? found.description, columns };
}
