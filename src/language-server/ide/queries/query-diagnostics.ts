import type { Diagnostic } from 'vscode-languageserver';
import { queryProblems } from '#model/query-files/check-query-file.ts';
import type { OpenedQuery } from '#language-server/workspace/query-files.ts';
import { configured, type DiagnosticOptions } from '#language-server/ide/diagnostics.ts';

/** The most problems shown in one file: more do not help. */
const LIMIT = 500;

/** Returns the problems of a query file as diagnostics of the protocol. */
export function queryDiagnostics(opened: OpenedQuery, options: DiagnosticOptions): Diagnostic[] {
  return queryProblems(opened.file, opened.root?.index, opened.root?.isInside)
    .slice(0, LIMIT)
    .flatMap((located) => configured(located, opened, options) ?? []);
}
