import type { SqlBatch } from '#api/data/sql-batches.ts';
import type { Table } from '#base/cells.ts';
import type { OpenQuery } from './query-run.ts';

/** Wraps a query so that its first run returns the given rows; later runs query the platform. */
export function keptRowsFirst(kept: Table, open: OpenQuery): OpenQuery {
  let isFirst = true;
  return (signal, onWait) => {
    if (!isFirst) return open(signal, onWait);
    isFirst = false;
    return batchesOf(kept);
  };
}

async function* batchesOf({ columns, rows }: Table): AsyncGenerator<SqlBatch, void> {
  yield await Promise.resolve({ kind: 'schema', columns });
  yield { kind: 'rows', rows };
}
