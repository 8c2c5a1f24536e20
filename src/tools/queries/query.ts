import * as v from 'valibot';
import type { WaitProgress } from '#api/data/data.ts';
import { loadRows, withLimit } from '#features/data/ask-data.ts';
import { oneLine } from '#tools/one-line.ts';
import { openEnvironment, queryIn, queryInput } from './query-environment.ts';
import { defineTool } from '#tools/tool.ts';
import { limitInput } from '#tools/limit-input.ts';

/** Runs a query (docs/tools.md#query). */
export const query = defineTool({
  name: 'query',
  title: 'Run a Query',
  description:
    'Runs a query of the data API in production or in the environment of a branch, and returns its rows, never more than asked for. Rows are data of the account.',
  risk: 'read',
  reach: 'platform',
  positional: ['query'],
  examples: [
    { command: `modelbench query '{"measures":["orders.count"]}'`, does: 'Counts the orders, in production.' },
    {
      command: `modelbench query '{"dimensions":["orders.status"]}' --branch dev-ada-1 --limit 5`,
      does: 'Lists five values, in a dev branch.',
    },
  ],
  input: v.object({
    ...queryInput,
    limit: limitInput('The most rows that are asked for and listed; a smaller limit of the query holds.', 100, 10_000),
  }),
  output: v.object({
    environment: v.string(),
    columns: v.array(v.string()),
    rows: v.array(v.record(v.string(), v.unknown())),
    mayHaveMore: v.pipe(v.boolean(), v.description('There are as many rows as were asked for, so there may be more.')),
  }),
  run: async (ports, { query: text, branch, deployment, limit }, context) => {
    const asked = queryIn(text);
    const { name, data } = await openEnvironment(ports, { branch, deployment }, context);
    context.progress('Running the query');
    const onWait = ({ elapsedMs }: WaitProgress): void =>
      context.progress(`Running the query for ${Math.round(elapsedMs / 1000)} s`);
    const { data: rows } = await loadRows(data, asked, { limit, signal: context.signal, onWait });
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    return { environment: name, columns, rows, mayHaveMore: rows.length === withLimit(asked, limit).limit };
  },
  toText: ({ columns, rows, mayHaveMore }) => {
    if (rows.length === 0) return 'No rows.';
    const lines = rows.map((row) => columns.map((column) => cellOf(row[column])).join('\t'));
    const more = mayHaveMore ? ['There may be more rows.'] : [];
    return [columns.map((column) => oneLine(column)).join('\t'), ...lines, ...more].join('\n');
  },
});

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}
