import type { CodeLens } from 'vscode-languageserver';
import { lensCommands, type LanguageSettings, type QueryToRun } from '#features/language/messages.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { OpenedQuery } from '#language-server/workspace/query-files.ts';

/** Returns *Run* above the query of a file, if the client can run it. */
export function queryLenses(
  { uri, file, positions }: OpenedQuery,
  { preview }: Pick<LanguageSettings, 'preview'>,
): CodeLens[] {
  const { query, queryStart } = file;
  if (!preview || !query) return [];
  const target: QueryToRun = { uri, query };
  const range = rangeOf(positions, queryStart, queryStart + 'query'.length);
  return [{ range, command: { title: 'Run', command: lensCommands.runQuery, arguments: [target] } }];
}
