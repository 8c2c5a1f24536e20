import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import type { ModelFile } from '#model/file.ts';
import type { SyntaxProblem } from '#model/syntax/tree.ts';
import { type Positions, rangeOf } from '../lines.ts';

/** More than this in one file helps nobody. */
const LIMIT = 500;

/** What is wrong with the syntax of a file. */
export function syntaxDiagnostics(file: ModelFile, positions: Positions): Diagnostic[] {
  const found: Diagnostic[] = file.problems.map((problem) => convert(problem, 0, positions));
  for (const { start, part } of file.parts) {
    if (found.length >= LIMIT) break;
    if (file.jinja.length > 0 && part.problems.length > 0) continue;
    for (const problem of part.problems) found.push(convert(problem, start, positions));
  }
  return found;
}

function convert(problem: SyntaxProblem, base: number, positions: Positions): Diagnostic {
  return {
    range: rangeOf(positions, base + problem.start, base + problem.end),
    message: problem.message,
    code: problem.code,
    source: 'modelbench',
    severity: DiagnosticSeverity.Error,
  };
}
