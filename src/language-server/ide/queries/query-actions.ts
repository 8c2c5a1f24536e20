import { type CodeAction, CodeActionKind, type Range } from 'vscode-languageserver';
import { queryProblems } from '#model/query-files/check-query-file.ts';
import { movedQuery } from '#model/query-files/query-folder.ts';
import type { LanguageSettings } from '#features/language/messages.ts';
import type { OpenedQuery } from '#language-server/workspace/query-files.ts';
import { convert } from '#language-server/ide/diagnostics.ts';
import { type Preview, previewedMove } from '#language-server/ide/actions/previewed.ts';

/** What the fixes of a query file need beyond the file. */
export interface QueryActionContext {
  readonly isTaken: (uri: string) => boolean;
  readonly canRenameFiles: boolean;
  readonly preview: Preview;
  readonly severity: LanguageSettings['severity'];
}

/**
 * Returns the fix for a query file that the platform would read as a file of the model: it moves the file to the folder for
 * queries.
 */
export function queryActions(
  opened: OpenedQuery,
  range: Range,
  only: readonly string[] | undefined,
  context: QueryActionContext,
): CodeAction[] {
  const { uri, root, file, positions } = opened;
  const kind = CodeActionKind.QuickFix;
  const isWanted = only?.every((wanted) => wanted !== kind && !kind.startsWith(`${wanted}.`)) !== true;
  if (!root?.isInside || !isWanted || !context.canRenameFiles || context.severity['query-in-model'] === 'off')
    return [];
  const [from, to] = [positions.offsetAt(range.start), positions.offsetAt(range.end)];
  const located = queryProblems(file, root.index, true).find(({ problem }) => problem.code === 'query-in-model');
  const moved = root.queries === undefined ? undefined : movedQuery(uri, root.queries, context.isTaken);
  if (!located || moved === undefined || located.start > to || from > located.end) return [];
  const title = `Move to ${moved.slice(moved.lastIndexOf('/', moved.lastIndexOf('/') - 1) + 1)}`;
  return [
    { title, kind, diagnostics: [convert(located, opened)], ...previewedMove(title, uri, moved, context.preview) },
  ];
}
