import { append } from '#base/long-lists.ts';
import type { DataClient, DataOptions } from './data.ts';

/** Runs SQL on the model and resolves to its rows as objects, keyed by column name. Throws `PlatformError`. */
export async function sqlRows(
  client: Pick<DataClient, 'cubeSql'>,
  statement: string,
  options: DataOptions,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const names: string[] = [];
  const rows: Readonly<Record<string, unknown>>[] = [];
  for await (const batch of client.cubeSql(statement, options)) {
    if (batch.kind === 'schema')
      append(
        names,
        batch.columns.map(({ name }) => name),
      );
    else for (const row of batch.rows) rows.push(Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])));
  }
  return rows;
}
