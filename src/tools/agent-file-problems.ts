import { LineIndex } from '#base/line-index.ts';
import { agentProblems } from '#model/agents/check-agent-files.ts';
import type { IsChanged } from './changed-lines.ts';
import type { OpenedModel } from './opened-model.ts';
import type { ToolPorts } from './ports.ts';
import type { ReportedProblem } from './problems.ts';
import type { ToolContext } from './tool.ts';

interface Listed {
  /** A text that occurs in the paths of the files to check. */
  readonly path: string;
  /** Without it, problems of every line are reported. */
  readonly isChanged: IsChanged | undefined;
}

/** Returns the problems of the files of `agents/` beside the model (docs/agents.md#checks). */
export async function agentFileProblems(
  ports: Pick<ToolPorts, 'model'>,
  { index }: OpenedModel,
  { path: wanted, isChanged }: Listed,
  { signal }: ToolContext,
): Promise<readonly ReportedProblem[]> {
  const { agents } = await ports.model(signal);
  if (!agents) return [];
  const views = index.entities().flatMap(({ kind, name }) => (kind === 'view' ? [name] : []));
  const found = agentProblems(agents.texts, { views: index.dynamic ? undefined : new Set(views), isWhole: true });
  return [...found].flatMap(([inAgents, problems]) => {
    const path = `${agents.root}${inAgents}`;
    if (!path.includes(wanted)) return [];
    const lines = new LineIndex(agents.texts.get(inAgents) ?? '');
    return problems.flatMap(({ problem, severity, start, end }) => {
      const from = lines.positionAt(start);
      const to = lines.positionAt(end);
      const line = from.line + 1;
      const endLine = to.line + 1;
      if (isChanged && !isChanged(path, line, endLine)) return [];
      const range = { path, line, column: from.character + 1, endLine, endColumn: to.character + 1 };
      return [{ ...range, severity, code: problem.code, message: problem.message }];
    });
  });
}
