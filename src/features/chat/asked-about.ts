import type { Attachment } from '#chat-core/attachments.ts';
import { columnSource } from '#chat-core/sql-columns.ts';
import type { QueryResult } from '#chat-core/tool-result.ts';
import type { AskTarget } from '#shell/targets.ts';

/** A problem of a file, with the lines around it. */
export interface AskedProblem {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
  readonly fileText: string;
}

/** The question that *Ask the Agent* puts into the composer for a problem. */
export function problemQuestion({ path, line, message, fileText }: AskedProblem): AskTarget {
  return {
    ask: '/fix ',
    attached: [
      { label: `Problem at ${path}:${line}`, detail: path, text: `${path}:${line}: ${message}` },
      { label: path, detail: path, text: fileText },
    ],
  };
}

/** The same for a failed build. */
export function buildQuestion(branchName: string, errors: string): AskTarget {
  return {
    ask: '/fix ',
    attached: [{ label: `Failed build of ${branchName}`, detail: branchName, text: errors }],
  };
}

/** One value of a result. */
export interface AskedCell {
  readonly result: Pick<QueryResult, 'sql' | 'title' | 'columns'>;
  readonly column: number;
  /** The whole row, as it is shown. */
  readonly cells: readonly (string | null)[];
}

/** What *Explain This Number* sends of a value: the value with its row, its column's expression, and the statement. */
export function cellAttachment({ result, column, cells }: AskedCell): Attachment {
  const { name = '' } = result.columns[column] ?? {};
  const source = columnSource(result.sql, { name, at: column });
  const row = result.columns.map((each, at) => `${each.name} = ${cells[at] ?? 'NULL'}`);
  const text = [
    `Value: ${name} = ${cells[column] ?? 'NULL'}`,
    ...(source ? [`Computed as: ${source.expression}`] : []),
    `Row:\n${row.join('\n')}`,
    `SQL:\n${result.sql}`,
  ].join('\n\n');
  return { id: `cell:${name}`, label: `${name} = ${cells[column] ?? 'NULL'}`, detail: result.title || 'Result', text };
}

/** Names of the model that a value may be made from. */
export function cellNames({ result, column }: AskedCell): readonly string[] {
  return columnSource(result.sql, { name: result.columns[column]?.name ?? '', at: column })?.names ?? [];
}

/** The question about a value: which one, in the words of its row. */
export function cellQuestion({ result, column, cells }: AskedCell): string {
  const others = result.columns.flatMap(({ name }, at) => (at === column ? [] : [`${name} = ${cells[at] ?? 'NULL'}`]));
  const where = others.length === 0 ? '' : ` where ${others.slice(0, 4).join(', ')}`;
  return `/explain Why is ${result.columns[column]?.name ?? 'this'} ${cells[column] ?? 'NULL'}${where}?`;
}
