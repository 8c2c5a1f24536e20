import * as v from 'valibot';
import { nextTurn } from '#base/async.ts';
import { plural } from '#base/words.ts';
import type { Found } from '#model/checks/check.ts';
import { fileProblems } from '#model/checks/file-problems.ts';
import type { ModelFile } from '#model/file.ts';
import { releaseChunk } from '#model/symbols.ts';
import { agentFileProblems, type Since } from './agent-file-problems.ts';
import { changedSince } from './changed-lines.ts';
import { type CompiledModel, compileModel, engineVerdictSchema } from './compiled-model.ts';
import { type OpenedModel, openModel } from '#tools/model/opened-model.ts';
import { oneLine, pathLine } from '#tools/one-line.ts';
import { queryFileProblems } from './query-file-problems.ts';
import { toGithub, toGitlab, toSarif } from './problem-formats.ts';
import { type ReportedProblem, problemSchema, severities } from '#tools/model/problems.ts';
import type { ModelSnapshot, ToolPorts } from '#tools/ports.ts';
import { defineTool, type ToolContext, ToolError } from '#tools/tool.ts';
import { limitInput } from '#tools/limit-input.ts';
import { isWantedPath } from '#tools/wanted-path.ts';

/** The number of files to check before other work may run and a cancellation takes effect. */
const FILES_AT_ONCE = 20;

const output = v.object({
  passed: v.pipe(v.boolean(), v.description('Whether nothing was found that fails the check.')),
  files: v.pipe(v.number(), v.description('How many files were checked.')),
  problems: v.array(problemSchema),
  omitted: v.pipe(v.number(), v.description('Problems beyond the limit, which are not listed.')),
  engine: v.optional(engineVerdictSchema),
});

/** Finds mistakes in a data model without running its code and without a network (docs/tools.md#check). */
export const check = defineTool({
  name: 'check',
  title: 'Check Data Model',
  description:
    'Finds mistakes in the data model: syntax, unknown keys and values, references to cubes, views and members that do not exist, joins and names that clash. Works offline. Templates are rendered in a sandbox; without “engine”, nothing else of the project runs. Use it after every change of a model file.',
  risk: 'read',
  reach: 'folder',
  positional: [],
  examples: [
    { command: 'modelbench check', does: 'Checks the model of this folder.' },
    { command: 'modelbench check --folder shop --strict', does: 'Fails at warnings as well.' },
    { command: 'modelbench check --engine', does: 'Compiles the model as well, with the platform’s compiler.' },
    { command: 'modelbench check --since origin/main', does: 'Reports warnings of changed lines only.' },
    { command: 'modelbench check --format sarif > check.sarif', does: 'Writes a report for code scanning.' },
    { command: 'modelbench check --format github', does: 'Annotates the lines of a pull request on GitHub.' },
  ],
  input: v.object({
    severity: v.optional(
      v.pipe(v.picklist(severities), v.description('The least severe problems that are listed.')),
      'warning',
    ),
    path: v.optional(v.pipe(v.string(), v.description('Lists problems only of paths that contain this text.'))),
    since: v.optional(
      v.pipe(
        v.string(),
        v.description(
          'A commit, branch or tag: on lines that are the same as there, only errors are listed and fail the check.',
        ),
      ),
    ),
    strict: v.optional(v.pipe(v.boolean(), v.description('Warnings fail the check as errors do.')), false),
    engine: v.optional(
      v.pipe(
        v.boolean(),
        v.description(
          'Also compiles the model with the platform’s compiler, offline and in a sandbox. This runs its JavaScript files where the user allows it.',
        ),
      ),
      false,
    ),
    limit: limitInput('The most problems that are listed.', 1000),
  }),
  output,
  run: async (ports, { severity, path = '', since, strict, engine: isCompiled, limit }, context) => {
    const opened = await openModel(ports, context);
    const compiled = isCompiled ? await compileModel(ports, opened, context) : undefined;
    const files = [...opened.index.files()].filter((file) => isWantedPath(file.path, path));
    requireFiles(await ports.model(context.signal), path);
    const changed = since === undefined ? undefined : await changes(ports, since, context);
    const found = [
      ...(await problemsOf(opened, files, { compiled, isChanged: changed?.isChanged }, context)),
      ...queryFileProblems(await ports.model(context.signal), opened, { path, isChanged: changed?.isChanged }),
      ...(await agentFileProblems(ports, opened, { path, since: changed }, context)),
    ];
    const failing = strict ? 1 : 0;
    const rank = (problem: ReportedProblem): number => severities.indexOf(problem.severity);
    const passed = !found.some((problem) => rank(problem) <= failing);
    const problems = found.filter((problem) => rank(problem) <= severities.indexOf(severity)).sort(inReadingOrder);
    const listed = problems.slice(0, limit);
    const engine = compiled && { engine: compiled.verdict };
    return { passed, files: files.length, problems: listed, omitted: problems.length - listed.length, ...engine };
  },
  toText: (answer) => {
    const lines = answer.problems.map(
      ({ path, line, column, severity, code, message }) =>
        `${pathLine(path)}:${line}:${column}: ${severity}: ${oneLine(message)} [${code}]`,
    );
    return [...lines, ...engineLines(answer), summary(answer)].join('\n');
  },
  formats: {
    sarif: ({ problems }) => toSarif(problems),
    github: (answer) => toGithub(answer.problems, [...engineLines(answer), summary(answer)].join(' ')),
    gitlab: ({ problems }) => toGitlab(problems),
  },
  hasFindings: ({ passed }) => !passed,
});

/** A misspelt path would pass without a check of anything. */
function requireFiles({ files, queries, agents }: ModelSnapshot, path: string): void {
  const paths = [
    files.keys(),
    queries?.keys() ?? [],
    [...(agents?.texts.keys() ?? [])].map((name) => `${agents?.root}${name}`),
  ];
  if (path === '' || paths.some((each) => [...each].some((name) => isWantedPath(name, path)))) return;
  throw new ToolError(
    'usage',
    `No file of the data model has “${oneLine(path, 100)}” in its path, so there is nothing to check.`,
  );
}

interface Circumstances {
  readonly compiled: CompiledModel | undefined;
  /** Without it, problems of every line are reported. */
  readonly isChanged: Since['isChanged'] | undefined;
}

/** Resolves to every problem of some files, but only the errors of unchanged lines. */
async function problemsOf(
  opened: OpenedModel,
  files: readonly ModelFile[],
  { compiled, isChanged }: Circumstances,
  { progress, signal }: ToolContext,
): Promise<readonly ReportedProblem[]> {
  const problems: ReportedProblem[] = [];
  for (const [at, file] of files.entries()) {
    if (at % FILES_AT_ONCE === 0) {
      progress(`Checking ${at + 1} of ${plural(files.length, 'file')}`);
      await nextTurn();
      signal.throwIfAborted();
    }
    const others = (own: readonly Found[]): readonly Found[] => compiled?.problemsIn(file, own) ?? [];
    for (const { problem, severity, start, end } of fileProblems(file, opened.index, { others })) {
      const location = opened.locationIn(file, start, end);
      const counts = severity === 'error' || (isChanged?.(file.path, location.line, location.endLine) ?? true);
      if (counts) problems.push({ ...location, severity, code: problem.code, message: problem.message });
    }
    for (const { chunk } of file.chunks) releaseChunk(chunk);
  }
  return problems;
}

async function changes(
  ports: Pick<ToolPorts, 'model' | 'revision'>,
  since: string,
  { signal, progress }: ToolContext,
): Promise<Since> {
  progress(`Reading ${oneLine(since, 60)}`);
  const before = await ports.revision(since, signal);
  return { before, isChanged: changedSince(before, await ports.model(signal)) };
}

function engineLines({ engine }: v.InferOutput<typeof output>): readonly string[] {
  if (engine?.omitted !== undefined)
    return [
      `${plural(engine.omitted, 'template')} that only the platform can render ${engine.omitted === 1 ? 'was' : 'were'} not compiled.`,
    ];
  if (engine?.state !== 'skipped') return [];
  return [`The model was not compiled. ${oneLine(engine.reason ?? '')}`];
}

function summary({ files, problems, omitted }: v.InferOutput<typeof output>): string {
  if (problems.length === 0) return `No problems in ${plural(files, 'file')}.`;
  const counts = severities.flatMap((severity) => {
    const count = problems.filter((problem) => problem.severity === severity).length;
    return count === 0 ? [] : [severity === 'information' ? `${count} information` : plural(count, severity)];
  });
  const more = omitted === 0 ? '' : ` ${plural(omitted, 'more problem')} not listed.`;
  return `${counts.join(', ')} in ${plural(files, 'file')}.${more}`;
}

function inReadingOrder(one: ReportedProblem, other: ReportedProblem): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.line - other.line || one.column - other.column;
}
