import type { Attachment } from './attachments.ts';
import { columnSource } from './sql-columns.ts';
import type { QueryResult } from './tool-result.ts';

/** A value of a result. */
export interface AskedCell {
  readonly result: Pick<QueryResult, 'sql' | 'title' | 'columns'>;
  readonly column: number;
  /** The whole row, as shown. */
  readonly cells: readonly (string | null)[];
}

/** Creates the attachment for *Explain This Number*: the value with its row, its column's expression and the statement. */
export function cellAttachment({ result, column, cells }: AskedCell): Attachment {
  const { name = '' } = result.columns[column] ?? {};
  const source = columnSource(result.sql, { name, at: column });
  const row = result.columns.map((each, at) => `${each.name} = ${cells[at] ?? 'NULL'}`);
  const text = [
    `Value: ${name} = ${cells[column] ?? 'NULL'}`,
    ...(source ? [`Computed as: ${source.expression}`] : []),
    `Row:\n${row.join('\n')}`,
    ...(result.sql === '' ? [] : [`SQL:\n${result.sql}`]),
  ].join('\n\n');
  return { id: `cell:${name}`, label: `${name} = ${cells[column] ?? 'NULL'}`, detail: result.title || 'Result', text };
}

/** Returns the names in the model from which a value may be computed. */
export function cellNames({ result, column }: AskedCell): readonly string[] {
  const { name = '' } = result.columns[column] ?? {};
  // A result without a statement comes from a query of members: its columns are members.
  if (result.sql === '') return [name];
  return columnSource(result.sql, { name, at: column })?.names ?? [];
}

/** Returns the question about a value, which it identifies by the other values of its row. */
export function cellQuestion({ result, column, cells }: AskedCell): string {
  const others = result.columns.flatMap(({ name }, at) => (at === column ? [] : [`${name} = ${cells[at] ?? 'NULL'}`]));
  const where = others.length === 0 ? '' : ` where ${others.slice(0, 4).join(', ')}`;
  return `/explain Why is ${result.columns[column]?.name ?? 'this'} ${cells[column] ?? 'NULL'}${where}?`;
}
