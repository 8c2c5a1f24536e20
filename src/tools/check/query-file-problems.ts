import { LineIndex } from '#base/line-index.ts';
import { leavesFolder, pathInside } from '#base/path.ts';
import { queryProblems } from '#model/query-files/check-query-file.ts';
import { parseQueryFile } from '#model/query-files/query-file.ts';
import type { IsChanged } from './changed-lines.ts';
import type { OpenedModel } from '#tools/model/opened-model.ts';
import type { ModelSnapshot } from '#tools/ports.ts';
import type { ReportedProblem } from '#tools/model/problems.ts';
import { isWantedPath } from '#tools/wanted-path.ts';

interface Listed {
  /** A text that occurs in the paths of the files to check. */
  readonly path: string;
  /** Without it, problems of every line are reported. */
  readonly isChanged: IsChanged | undefined;
}

/** Returns the problems of the query files of a model (docs/query-files.md#checks). */
export function queryFileProblems(
  snapshot: ModelSnapshot,
  { index }: OpenedModel,
  { path: wanted, isChanged }: Listed,
): readonly ReportedProblem[] {
  return [...(snapshot.queries ?? [])].flatMap(([path, text]) => {
    if (!isWantedPath(path, wanted)) return [];
    const lines = new LineIndex(text);
    return queryProblems(parseQueryFile(text), index, isInModel(path, snapshot)).flatMap((found) => {
      const from = lines.positionAt(found.start);
      const to = lines.positionAt(found.end);
      const { severity, problem } = found;
      const [line, endLine] = [from.line + 1, to.line + 1];
      if (severity !== 'error' && isChanged && !isChanged(path, line, endLine)) return [];
      const range = { path, line, column: from.character + 1, endLine, endColumn: to.character + 1 };
      return [{ ...range, severity, code: problem.code, message: problem.message }];
    });
  });
}

/** Whether the platform reads a file with the model. A file beside the model has a path outside of it. */
function isInModel(path: string, { root, isMixed }: ModelSnapshot): boolean {
  return !isMixed && !leavesFolder(pathInside(path, root) ?? '..');
}
