import * as v from 'valibot';
import { statementOf, valueLines } from '#features/data/ask-data.ts';
import { openEnvironment, queryIn, queryInput } from './query-environment.ts';
import { defineTool } from '#tools/tool.ts';

/** Shows the SQL of a query without running it (docs/tools.md#sql). */
export const sql = defineTool({
  name: 'sql',
  title: 'Show the SQL of a Query',
  description:
    'Compiles a query of the data API to the SQL that the database would get, with its values, in production or in the environment of a branch. The query is not run.',
  risk: 'read',
  reach: 'platform',
  positional: ['query'],
  examples: [{ command: `modelbench sql '{"measures":["orders.count"]}'`, does: 'Shows how orders are counted.' }],
  input: v.object(queryInput),
  output: v.object({ environment: v.string(), sql: v.string(), values: v.array(v.unknown()) }),
  run: async (ports, { query, branch, deployment }, context) => {
    const asked = queryIn(query);
    const { name, data } = await openEnvironment(ports, { branch, deployment }, context);
    context.progress('Compiling the query');
    const { sql: statement, values } = await statementOf(data, asked, { signal: context.signal });
    return { environment: name, sql: statement, values: [...values] };
  },
  toText: ({ sql: statement, values }) => [...valueLines(values), statement].join('\n'),
});
