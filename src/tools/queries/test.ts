import * as v from 'valibot';
import { isPlatformError } from '#api/errors.ts';
import { sqlRows } from '#api/data/sql-rows.ts';
import { loadRows } from '#features/data/ask-data.ts';
import { LineIndex } from '#base/line-index.ts';
import { plural } from '#base/words.ts';
import { type QueryOrSql, type JsonMap, parseQueryFile, type QueryTest } from '#model/query-files/query-file.ts';
import { runQueryTest, type TestAnswer, type TestOutcome } from '#model/query-files/query-test.ts';
import { sharedAnswers } from '#model/query-files/shared-answers.ts';
import { oneLine, pathLine } from '#tools/one-line.ts';
import { type OpenedEnvironment, openEnvironment, queryInput } from './query-environment.ts';
import { defineTool, type ToolContext, ToolError } from '#tools/tool.ts';
import { isWantedPath } from '#tools/wanted-path.ts';

const output = v.object({
  environment: v.string(),
  passed: v.boolean(),
  tests: v.array(
    v.object({
      path: v.string(),
      line: v.number(),
      name: v.string(),
      state: v.pipe(
        v.picklist(['passed', 'failed', 'wrong']),
        v.description('`wrong`: the test cannot be judged because of how it is written.'),
      ),
      message: v.optional(v.string()),
      expected: v.optional(v.string()),
      actual: v.optional(v.string()),
    }),
  ),
});
type Answer = v.InferOutput<typeof output>;

/** Runs the tests of query files (docs/tools.md#test). */
export const test = defineTool({
  name: 'test',
  title: 'Run the Tests of Queries',
  description:
    'Runs the tests in the query files of the folder (*.query.yml) in production or in the environment of a branch, and returns what each expected and found. Rows are data of the account.',
  risk: 'read',
  reach: 'platform',
  positional: ['path'],
  examples: [
    { command: 'modelbench test --branch dev-ada-1', does: 'Runs all tests in a dev branch.' },
    { command: 'modelbench test orders', does: 'Runs the tests of files with “orders” in their path, in production.' },
  ],
  input: v.object({
    path: v.optional(v.pipe(v.string(), v.description('Runs only the tests of files whose path contains this text.'))),
    branch: queryInput.branch,
    deployment: queryInput.deployment,
  }),
  output,
  run: async (ports, { path: wanted = '', branch, deployment }, context) => {
    const { queries = new Map<string, string>() } = await ports.model(context.signal);
    const planned = [...queries].flatMap(([path, text]) => (isWantedPath(path, wanted) ? testsIn(path, text) : []));
    if (planned.length === 0)
      throw new ToolError('usage', 'There are no tests: no file *.query.yml of the folder has a query with tests.');
    const environment = await openEnvironment(ports, { branch, deployment }, context);
    const run = sharedAnswers(asking(environment, context));
    const tests: Answer['tests'] = [];
    for (const [at, { query, definition, ...location }] of planned.entries()) {
      context.progress(`Running test ${at + 1} of ${planned.length}`);
      const outcome = await runQueryTest(query, definition, { run, now: () => Date.now() }).catch(wrongQuery);
      tests.push({ ...location, ...outcome });
    }
    return { environment: environment.name, passed: tests.every(({ state }) => state === 'passed'), tests };
  },
  toText: ({ tests }) => [...tests.flatMap(linesOf), summary(tests)].join('\n'),
  hasFindings: ({ passed }) => !passed,
});

interface PlannedTest extends Pick<QueryTest, 'name' | 'definition'> {
  readonly path: string;
  readonly line: number;
  readonly query: QueryOrSql;
}

function testsIn(path: string, text: string): readonly PlannedTest[] {
  const { queryOrSql: query, tests } = parseQueryFile(text);
  const lines = new LineIndex(text);
  return tests.flatMap(({ name, start, definition }) =>
    query !== undefined ? [{ path, line: lines.positionAt(start).line + 1, name, query, definition }] : [],
  );
}

/** Returns a function that runs queries, with a separate token for each identity. */
function asking({ data, dataAs }: OpenedEnvironment, { signal }: ToolContext) {
  const clients = new Map<string, ReturnType<OpenedEnvironment['dataAs']>>();
  return async (query: QueryOrSql, identity: JsonMap | undefined): Promise<TestAnswer> => {
    const key = JSON.stringify(identity);
    const client = identity ? (clients.get(key) ?? dataAs(identity)) : Promise.resolve(data);
    if (identity) clients.set(key, client);
    if (typeof query === 'string') return { rows: await sqlRows(await client, query, { signal }) };
    const { data: rows, lastRefreshTime } = await loadRows(await client, query, { signal });
    return { rows, lastRefreshTime };
  };
}

/** Turns a query that the server refuses into a failed test; rethrows any other error, which ends the run. */
function wrongQuery(error: unknown): TestOutcome {
  if (!isPlatformError(error, 'invalidRequest')) throw error;
  return { state: 'failed', message: error.message };
}

function linesOf({ path, line, name, state, message, expected, actual }: Answer['tests'][number]): readonly string[] {
  const indented = (title: string, text: string | undefined): readonly string[] =>
    text === undefined ? [] : [`  ${title}`, ...text.split('\n').map((each) => `    ${oneLine(each)}`)];
  return [
    `${pathLine(path)}:${line}: ${state}: ${oneLine(name)}`,
    ...(message === undefined ? [] : [`  ${oneLine(message)}`]),
    ...indented('expected', expected),
    ...indented('actual', actual),
  ];
}

function summary(tests: Answer['tests']): string {
  const failed = tests.filter(({ state }) => state !== 'passed').length;
  return failed === 0
    ? `${plural(tests.length, 'test')} passed.`
    : `${failed} of ${plural(tests.length, 'test')} failed.`;
}
