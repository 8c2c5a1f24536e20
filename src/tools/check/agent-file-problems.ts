import { LineIndex } from '#base/line-index.ts';
import { agentProblems, type KnownViews } from '#model/agents/check-agent-files.ts';
import type { IsChanged } from './changed-lines.ts';
import { type OpenedModel, openSnapshot } from '#tools/model/opened-model.ts';
import type { ModelSnapshot, ToolPorts } from '#tools/ports.ts';
import type { ReportedProblem } from '#tools/model/problems.ts';
import type { ToolContext } from '#tools/tool.ts';
import { isWantedPath } from '#tools/wanted-path.ts';

/** An older snapshot of the model; problems that were there already, on lines that are the same, are not reported. */
export interface Since {
  readonly before: ModelSnapshot;
  readonly isChanged: IsChanged;
}

interface Listed {
  /** A text that occurs in the paths of the files to check. */
  readonly path: string;
  /** Without it, every problem is reported. */
  readonly since: Since | undefined;
}

/** Resolves to the problems of the files of `agents/` beside the model (docs/agents.md#checks). */
export async function agentFileProblems(
  ports: Pick<ToolPorts, 'model' | 'render'>,
  opened: OpenedModel,
  { path: wanted, since }: Listed,
  context: ToolContext,
): Promise<readonly ReportedProblem[]> {
  const { agents } = await ports.model(context.signal);
  if (!agents) return [];
  const problems = reported(agents, viewsOf(opened)).filter(({ path }) => isWantedPath(path, wanted));
  if (!since) return problems;
  const isOnChangedLine = ({ path, line, endLine }: ReportedProblem): boolean => since.isChanged(path, line, endLine);
  if (problems.every(isOnChangedLine)) return problems;
  const known = await knownBefore(ports, since.before, opened, context);
  return problems.filter((problem) => isOnChangedLine(problem) || known(problem) === false);
}

type AgentTexts = NonNullable<ModelSnapshot['agents']>;

function reported({ root, texts }: AgentTexts, views: KnownViews): readonly ReportedProblem[] {
  return [...agentProblems(texts, { views, isWhole: true })].flatMap(([inAgents, problems]) => {
    const path = `${root}${inAgents}`;
    const lines = new LineIndex(texts.get(inAgents) ?? '');
    return problems.map(({ problem, severity, start, end }) => {
      const from = lines.positionAt(start);
      const to = lines.positionAt(end);
      const range = {
        line: from.line + 1,
        column: from.character + 1,
        endLine: to.line + 1,
        endColumn: to.character + 1,
      };
      return { path, ...range, severity, code: problem.code, message: problem.message };
    });
  });
}

/**
 * Resolves to whether a problem was there in an older snapshot already, and `undefined` of a file that was not. A change
 * elsewhere, such as a removed view, causes problems on lines that are the same.
 */
async function knownBefore(
  ports: Pick<ToolPorts, 'render'>,
  before: ModelSnapshot,
  now: OpenedModel,
  context: ToolContext,
): Promise<(problem: ReportedProblem) => boolean | undefined> {
  const { agents } = before;
  if (!agents) return () => undefined;
  const views = viewsOf(await openSnapshot(before, context, ports)) ?? viewsOf(now);
  const idOf = ({ path, code, message }: ReportedProblem): string => JSON.stringify([path, code, message]);
  const known = new Set(reported(agents, views).map(idOf));
  const paths = new Set([...agents.texts.keys()].map((path) => `${agents.root}${path}`));
  return (problem) => (paths.has(problem.path) ? known.has(idOf(problem)) : undefined);
}

function viewsOf({ index }: OpenedModel): KnownViews {
  if (index.dynamic) return undefined;
  return new Set(index.entities().flatMap(({ kind, name }) => (kind === 'view' ? [name] : [])));
}
