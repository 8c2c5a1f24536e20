import { type Called, refuseError } from './answer-errors.ts';
import { unusable } from '#api/client/validation.ts';
import { isObject } from '#api/schema.ts';

export interface SqlColumn {
  readonly name: string;
  readonly type: string;
}

/** A batch from `cubeSql`: the schema once and first, then rows as they arrive. */
export type SqlBatch =
  | { readonly kind: 'schema'; readonly columns: readonly SqlColumn[] }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly unknown[])[] };

/**
 * Reads the values of one answer to SQL as batches (docs/data-api.md#runcubesql). A value of a form that is not known is refused,
 * because rows without some of the server's would be taken for all of them.
 */
export class SqlBatches {
  readonly #called: Called;
  /** The columns as the server names them. */
  #columns: readonly SqlColumn[] | undefined;
  #hasRows = false;

  constructor(called: Called) {
    this.#called = called;
  }

  /** Whether rows were returned. */
  get hasRows(): boolean {
    return this.#hasRows;
  }

  /** Returns the batches of one value; throws `PlatformError` for an error of the server and for what cannot be read. */
  of(value: unknown): readonly SqlBatch[] {
    if (Array.isArray(value) && value.every((each) => isObject(each))) return value.flatMap((each) => this.of(each));
    if (!isObject(value)) throw this.#unusable('', 'has a line that is neither columns nor rows');
    refuseError(this.#called, value);
    return [...this.#schema(value['schema']), ...this.#rows(value['data'])];
  }

  #schema(schema: unknown): readonly SqlBatch[] {
    if (!Array.isArray(schema)) return [];
    return this.#announced(schema.map((column) => sqlColumn(column)));
  }

  /** A server may name the columns before every batch. */
  #announced(columns: readonly SqlColumn[]): readonly SqlBatch[] {
    if (this.#columns) {
      if (JSON.stringify(this.#columns) === JSON.stringify(columns)) return [];
      throw this.#unusable('schema', 'changes within the answer');
    }
    this.#columns = columns;
    return [{ kind: 'schema', columns: distinctlyNamed(columns) }];
  }

  #rows(data: unknown): readonly SqlBatch[] {
    if (data === undefined || data === null) return [];
    if (!Array.isArray(data)) throw this.#unusable('data', 'is not a list');
    const first: unknown = data[0];
    const named = this.#columns || !isObject(first) ? [] : this.#schema(Object.keys(first));
    const columns = this.#columns;
    if (!columns) {
      if (data.length === 0) return [];
      throw this.#unusable('schema', 'is missing');
    }
    this.#hasRows ||= data.length > 0;
    return [...named, { kind: 'rows', rows: data.map((row, at) => this.#row(row, at, columns)) }];
  }

  #row(row: unknown, at: number, columns: readonly SqlColumn[]): readonly unknown[] {
    const field = `data.${at}`;
    if (Array.isArray(row)) {
      if (row.length > columns.length) throw this.#unusable(field, 'has more values than there are columns');
      return row;
    }
    if (!isObject(row)) throw this.#unusable(field, 'is not a list');
    const known = columns.filter(({ name }) => Object.hasOwn(row, name));
    if (known.length < Object.keys(row).length) throw this.#unusable(field, 'has a column that was not announced');
    return columns.map(({ name }) => row[name] ?? null);
  }

  #unusable(field: string, problem: string): Error {
    return unusable(this.#called.operation, field, problem);
  }
}

/** Numbers columns of one name, because SQL may name several alike and rows are looked up by name. */
function distinctlyNamed(columns: readonly SqlColumn[]): readonly SqlColumn[] {
  const taken = new Set(columns.map(({ name }) => name));
  const seen = new Set<string>();
  return columns.map((column) => {
    let { name } = column;
    for (let at = 2; seen.has(name); at += 1) {
      const numbered = `${column.name} (${at})`;
      if (!taken.has(numbered)) name = numbered;
    }
    seen.add(name);
    return { ...column, name };
  });
}

function sqlColumn(column: unknown): SqlColumn {
  if (typeof column === 'string') return { name: column, type: 'String' };
  const { name, column_type: ownType, type = ownType } = isObject(column) ? column : {};
  const known = typeof ownType === 'string' ? ownType : type;
  return { name: typeof name === 'string' ? name : '', type: typeof known === 'string' ? known : 'String' };
}
