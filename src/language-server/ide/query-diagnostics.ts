import type { Diagnostic } from 'vscode-languageserver';
import { queryProblems } from '#model/query-files/check-query-file.ts';
import type { OpenedQuery } from '../query-files.ts';
import { convert, type DiagnosticOptions } from './diagnostics.ts';

/** More problems than this in one file do not help. */
const LIMIT = 500;

/** Problems of a query file as the editor gets them. */
export function queryDiagnostics(opened: OpenedQuery, { settings, docs }: DiagnosticOptions): Diagnostic[] {
  return queryProblems(opened.file, opened.root?.index, opened.root?.isInside)
    .slice(0, LIMIT)
    .flatMap(({ problem, severity, start, end }) => {
      const setting = settings.severity[problem.code];
      if (setting === 'off') return [];
      const diagnostic = convert({ problem, severity: setting ?? severity, start, end }, opened);
      if (docs !== undefined) diagnostic.codeDescription = { href: `${docs}/${problem.code}.md` };
      return [diagnostic];
    });
}
