import { identifier } from './identifiers.ts';
import { isJsonObject, type JsonObject, nameIn, objectIn, objectsIn, textIn } from './json-values.ts';
import { distinctColumns, MOST_COLUMNS, MOST_TABLES, type Table, type TableColumn, type TablesRead } from './table.ts';

/** Nodes that become a table or view of the database. */
const RELATIONS = new Set(['model', 'seed', 'snapshot', 'source']);

/** A table with the id that dbt's other files use for it. */
export interface DbtTable extends Table {
  readonly id: string;
}

/** Reads dbt's `target/manifest.json`: models, seeds, snapshots and sources with the columns that the project documents. */
export function tablesOfManifest(json: unknown): TablesRead<DbtTable> {
  if (!isJsonObject(json) || !isJsonObject(json['nodes'])) return { problem: 'it is not a manifest of dbt' };
  const type = textIn(objectIn(json['metadata'])['adapter_type'], 50)?.toLowerCase();
  const nodes = Object.entries({ ...objectIn(json['sources']), ...json['nodes'] });
  const keys = keysOf(nodes);
  const tables: DbtTable[] = [];
  for (const [id, node] of nodes) {
    const table = isJsonObject(node) ? tableOf(id, node, keys.get(id), type) : undefined;
    if (table) tables.push(table);
    if (tables.length === MOST_TABLES) break;
  }
  return { database: type, tables };
}

function tableOf(
  id: string,
  node: JsonObject,
  keys: ReadonlySet<string> | undefined,
  type: string | undefined,
): DbtTable | undefined {
  const name = nameIn(node['identifier']) ?? nameIn(node['alias']) ?? nameIn(node['name']);
  const isRelation = RELATIONS.has(textIn(node['resource_type']) ?? '');
  if (name === undefined || !isRelation || !isBuilt(objectIn(node['config']))) return undefined;
  const database = nameIn(node['database']);
  const schema = nameIn(node['schema']);
  const written = [schema, name].flatMap((each) => (each === undefined ? [] : [identifier(each, type)])).join('.');
  const columns = Object.values(objectIn(node['columns'])).slice(0, MOST_COLUMNS);
  const primary = primaryKeyOf(node);
  return {
    id,
    database,
    schema,
    name,
    relation: nameIn(node['relation_name']) ?? written,
    description: textIn(node['description']),
    columns: distinctColumns(columns.flatMap((column) => columnOf(column, keys, primary))),
  };
}

/** Whether dbt makes a table or view of a node: the query of an ephemeral model is embedded in others. */
function isBuilt({ materialized, enabled }: JsonObject): boolean {
  return materialized !== 'ephemeral' && enabled !== false;
}

/** Returns the columns of the primary key that a model declares for several columns, in lower case. */
function primaryKeyOf(node: JsonObject): ReadonlySet<string> {
  const names = objectsIn(node['constraints']).flatMap(({ type, columns }) =>
    type === 'primary_key' && Array.isArray(columns) ? columns.map(nameIn) : [],
  );
  return new Set(names.flatMap((name) => (name === undefined ? [] : [name.toLowerCase()])));
}

function columnOf(
  column: unknown,
  keys: ReadonlySet<string> | undefined,
  primary: ReadonlySet<string>,
): readonly TableColumn[] {
  const written = objectIn(column);
  const name = nameIn(written['name']);
  if (name === undefined) return [];
  const isConstrained = objectsIn(written['constraints']).some(({ type }) => type === 'primary_key');
  return [
    {
      name,
      type: textIn(written['data_type'], 200),
      description: textIn(written['description']),
      isKey: keys?.has(name.toLowerCase()) === true,
      isPrimaryKey: isConstrained || primary.has(name.toLowerCase()),
      isQuoted: written['quote'] === true,
    },
  ];
}

/** Returns the columns of each node, in lower case, that are tested to be unique and never null, in all rows. */
function keysOf(nodes: readonly (readonly [string, unknown])[]): ReadonlyMap<string, ReadonlySet<string>> {
  const tested = new Map<string, Map<string, Set<string>>>();
  for (const [, node] of nodes) {
    const test = isJsonObject(node) ? testOf(node) : undefined;
    if (!test) continue;
    const columns = tested.get(test.of) ?? new Map<string, Set<string>>();
    tested.set(test.of, columns.set(test.column, (columns.get(test.column) ?? new Set()).add(test.name)));
  }
  const isKey = ([, names]: readonly [string, ReadonlySet<string>]): boolean => names.size === 2;
  return new Map([...tested].map(([id, columns]) => [id, new Set([...columns].filter(isKey).map(([name]) => name))]));
}

interface ColumnTest {
  /** The id of the tested node. */
  readonly of: string;
  readonly column: string;
  readonly name: 'unique' | 'not_null';
}

function testOf(node: JsonObject): ColumnTest | undefined {
  if (node['resource_type'] !== 'test') return undefined;
  const { name, namespace, kwargs } = objectIn(node['test_metadata']);
  const { where, enabled, severity } = objectIn(node['config']);
  const of = textIn(node['attached_node']) ?? onlyNode(node);
  const column = textIn(node['column_name']) ?? textIn(objectIn(kwargs)['column_name']);
  const isPlain = (name === 'unique' || name === 'not_null') && (namespace === null || namespace === undefined);
  const isSure = textIn(where) === undefined && enabled !== false && String(severity).toLowerCase() !== 'warn';
  return isPlain && isSure && of !== undefined && column !== undefined
    ? { of, column: column.toLowerCase(), name }
    : undefined;
}

/** Returns the only node that a test depends on: manifests of older versions do not name the tested one. */
function onlyNode(node: JsonObject): string | undefined {
  const { nodes } = objectIn(node['depends_on']);
  return Array.isArray(nodes) && nodes.length === 1 ? textIn(nodes[0]) : undefined;
}
