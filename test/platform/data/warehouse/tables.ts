/** A value as the generator writes it: money in cents, times in seconds since the epoch. */
export type Cell = number | string | null;

/** How a column is staged and what it becomes. */
type ColumnKind = 'int' | 'text' | 'bool' | 'money' | 'ratio' | 'degrees' | 'time';

export interface Table {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, kind: ColumnKind])[];
}

const staged: Record<ColumnKind, string> = {
  int: 'INTEGER',
  text: 'VARCHAR',
  bool: 'INTEGER',
  money: 'INTEGER',
  ratio: 'INTEGER',
  degrees: 'INTEGER',
  time: 'INTEGER',
};

const final: Record<ColumnKind, (column: string) => string> = {
  int: (column) => column,
  text: (column) => column,
  bool: (column) => `${column} = 1`,
  money: (column) => `(${column} / 100)::DECIMAL(12, 2)`,
  ratio: (column) => `(${column} / 100)::DECIMAL(5, 2)`,
  degrees: (column) => `(${column} / 100)::DECIMAL(7, 2)`,
  time: (column) => `make_timestamp(${column}::BIGINT * 1000000)`,
};

export function stagingSql(table: Table): string {
  return `CREATE TEMP TABLE staged_${table.name} (${table.columns.map(([name, kind]) => `${name} ${staged[kind]}`).join(', ')})`;
}

/** Turns the staged table into the one that models read. */
export function finalSql(table: Table): string {
  const columns = table.columns.map(([name, kind]) => `${final[kind](name)} AS ${name}`);
  return `CREATE TABLE ${table.name} AS SELECT ${columns.join(', ')} FROM staged_${table.name}; DROP TABLE staged_${table.name}`;
}

export const tables = {
  suppliers: {
    name: 'suppliers',
    columns: [['id', 'int'], ['name', 'text'], ['country', 'text'], ['rating', 'ratio']], // prettier-ignore
  },
  categories: {
    name: 'product_categories',
    columns: [['id', 'int'], ['name', 'text'], ['department', 'text']], // prettier-ignore
  },
  products: {
    name: 'products',
    columns: [
      ['id', 'int'], ['sku', 'text'], ['name', 'text'], ['category_id', 'int'], ['supplier_id', 'int'],
      ['price', 'money'], ['cost', 'money'], ['launched_at', 'time'], ['is_discontinued', 'bool'],
    ], // prettier-ignore
  },
  stores: {
    name: 'stores',
    columns: [
      ['id', 'int'], ['name', 'text'], ['city', 'text'], ['country', 'text'], ['region', 'text'],
      ['latitude', 'degrees'], ['longitude', 'degrees'], ['opened_at', 'time'],
    ], // prettier-ignore
  },
  customers: {
    name: 'customers',
    columns: [
      ['id', 'int'], ['first_name', 'text'], ['last_name', 'text'], ['email', 'text'], ['city', 'text'],
      ['country', 'text'], ['kind', 'text'], ['channel', 'text'], ['birth_year', 'int'], ['created_at', 'time'],
    ], // prettier-ignore
  },
  orders: {
    name: 'orders',
    columns: [
      ['id', 'int'], ['customer_id', 'int'], ['store_id', 'int'], ['status', 'text'], ['shipping_cost', 'money'],
      ['created_at', 'time'], ['shipped_at', 'time'], ['completed_at', 'time'],
    ], // prettier-ignore
  },
  lineItems: {
    name: 'line_items',
    columns: [
      ['id', 'int'], ['order_id', 'int'], ['product_id', 'int'], ['quantity', 'int'], ['unit_price', 'money'],
      ['discount', 'ratio'],
    ], // prettier-ignore
  },
  returns: {
    name: 'returns',
    columns: [['id', 'int'], ['line_item_id', 'int'], ['reason', 'text'], ['refund', 'money'], ['created_at', 'time']], // prettier-ignore
  },
} as const satisfies Record<string, Table>;
