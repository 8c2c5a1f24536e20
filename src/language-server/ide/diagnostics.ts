import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver';
import type { Found } from '#model/checks/check.ts';
import { fileProblems } from '#model/checks/file-problems.ts';
import type { Problem, Severity } from '#model/codes.ts';
import { relatedOf } from '#model/related.ts';
import { uncoveredRefusals } from '#model/engine/engine-refusals.ts';
import { mergeEngineProblems } from '#model/engine/merge-engine-problems.ts';
import type { LanguageSettings } from '#features/language/messages.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import { branchChanges } from './branch-changes.ts';
import type { ModelRoot, Opened, Workspace } from '#language-server/workspace/workspace.ts';
import { locationOf } from './locations.ts';

/** The most problems shown in one file: more do not help. */
const LIMIT = 500;

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** A problem with file offsets, and the number to add to the offsets of its fix. */
export interface LocatedProblem {
  readonly problem: Problem;
  readonly severity: Severity;
  readonly start: number;
  readonly end: number;
  readonly base: number;
}

/** Returns all problems of a file, without those that a comment disables. `stale`: see `modelProblems`. */
export function problemsIn(opened: Opened, stale = false): LocatedProblem[] {
  const { file, root } = opened;
  const others = (own: readonly Found[]): readonly Found[] => [
    ...uncoveredRefusals(mergeEngineProblems(root.compiled, root.deployed), file, root.index, own),
    ...branchChanges(opened),
  ];
  return fileProblems(file, root.index, { isStandalone: root.isStandalone, stale, others }).map((item) => ({
    ...item,
    base: item.start - item.problem.start,
  }));
}

/** Whether there is an error anywhere in a model. */
export function hasErrors(root: ModelRoot, workspace: Workspace): boolean {
  for (const { path } of root.index.files()) {
    const opened = workspace.get(path);
    if (opened && problemsIn(opened).some(({ severity }) => severity === 'error')) return true;
  }
  return false;
}

export interface DiagnosticOptions {
  readonly settings: LanguageSettings;
  /** The base URL of the pages about the codes; without it, there are no links. */
  readonly docs: string | undefined;
}

/** Returns the problems of a file as diagnostics of the protocol. */
export function diagnostics(
  opened: Opened,
  options: DiagnosticOptions,
  workspace: Workspace,
  stale = false,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const located of problemsIn(opened, stale)) {
    if (found.length >= LIMIT) break;
    const diagnostic = configured(located, opened, options);
    if (!diagnostic) continue;
    const related = relatedOf(located.problem, opened.root.index).flatMap(({ chunk, start, end, message }) => {
      const location = locationOf(workspace, opened.root.index, chunk, start, end);
      return location ? [{ location, message }] : [];
    });
    if (related.length > 0) diagnostic.relatedInformation = related;
    found.push(diagnostic);
  }
  return found;
}

/** Converts a problem to a diagnostic with the severity of the settings and a link to its page; `undefined` if they turn it off. */
export function configured(
  located: Omit<LocatedProblem, 'base'>,
  opened: Pick<Opened, 'positions'>,
  { settings, docs }: DiagnosticOptions,
): Diagnostic | undefined {
  const { code } = located.problem;
  const { [code]: severity = located.severity } = settings.severity;
  if (severity === 'off') return undefined;
  const diagnostic = convert({ ...located, severity }, opened);
  return docs === undefined ? diagnostic : { ...diagnostic, codeDescription: { href: `${docs}/${code}.md` } };
}

/** Converts a problem to a diagnostic of the protocol. */
export function convert(
  { problem, severity, start, end }: Omit<LocatedProblem, 'base'>,
  { positions }: Pick<Opened, 'positions'>,
): Diagnostic {
  return {
    range: rangeOf(positions, start, Math.max(end, start)),
    message: problem.message,
    code: problem.code,
    source: 'modelbench',
    severity: SEVERITIES[severity],
    ...(problem.code === 'deprecated' ? { tags: [DiagnosticTag.Deprecated] } : {}),
  };
}
