import { identifier } from './identifiers.ts';
import { isJsonObject, type JsonObject, nameIn, objectsIn, textIn } from './json-values.ts';
import { distinctColumns, MOST_COLUMNS, MOST_TABLES, type Table, type TableColumn, type TablesRead } from './table.ts';

/** Reads a list of tables that the user saved (docs/tables.md#a-saved-list). */
export function tablesOfList(json: unknown): TablesRead {
  if (!isJsonObject(json) || !Array.isArray(json['tables'])) return { problem: 'it has no list “tables”' };
  const database = textIn(json['database_type'], 50)?.toLowerCase();
  const tables = objectsIn(json['tables']).slice(0, MOST_TABLES);
  return { database, tables: tables.flatMap((table) => tableOf(table, database)) };
}

function tableOf(table: JsonObject, type: string | undefined): readonly Table[] {
  const name = nameIn(table['name']);
  if (name === undefined) return [];
  const database = nameIn(table['database']);
  const schema = nameIn(table['schema']);
  const names = [schema === undefined ? undefined : database, schema, name];
  const relation = names.flatMap((each) => (each === undefined ? [] : [identifier(each, type)])).join('.');
  const columns = distinctColumns(objectsIn(table['columns']).slice(0, MOST_COLUMNS).flatMap(columnOf));
  return [{ database, schema, name, relation, description: textIn(table['description']), columns }];
}

function columnOf(column: JsonObject): readonly TableColumn[] {
  const name = nameIn(column['name']);
  if (name === undefined) return [];
  const isPrimaryKey = column['primary_key'] === true;
  return [{ name, type: textIn(column['type'], 200), description: textIn(column['description']), isPrimaryKey }];
}
