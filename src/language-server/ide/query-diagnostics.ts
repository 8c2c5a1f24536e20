import type { Diagnostic } from 'vscode-languageserver';
import { queryProblems } from '#model/query-files/check-query-file.ts';
import type { OpenedQuery } from '../query-files.ts';
import { convert, type DiagnosticOptions } from './diagnostics.ts';

/** The most problems shown in one file: more do not help. */
const LIMIT = 500;

/** Returns the problems of a query file as diagnostics of the protocol. */
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
