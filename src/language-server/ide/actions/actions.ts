import { append } from '#base/long-lists.ts';
import { type CodeAction, CodeActionKind, type Diagnostic, type Range, type TextEdit } from 'vscode-languageserver';
import type { Code, Fix, Problem } from '#model/codes.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { LanguageSettings } from '#features/language/messages.ts';
import type { Opened, Workspace } from '#language-server/workspace/workspace.ts';
import { addPrimaryKey } from './add-primary-key.ts';
import { convert, type LocatedProblem, problemsIn } from '#language-server/ide/diagnostics.ts';
import { withLineBreaks } from './line-breaks.ts';
import { lineOfIgnore } from '#model/ignores.ts';
import { createMissing } from './create-missing.ts';
import { extractView } from './extract-view.ts';
import { moveKey } from './move-key.ts';
import { type Preview, previewed } from './previewed.ts';
import { spacesForTabs } from './spaces-for-tabs.ts';

/** What code actions need beyond the file and range of their request. */
export interface ActionContext {
  readonly workspace: Workspace;
  readonly canCreateFiles: boolean;
  readonly preview: Preview;
  /** The severities from the settings: a problem whose code is `off` gets no fixes. */
  readonly severity: LanguageSettings['severity'];
}

/**
 * Returns the fixes for the problems in a range, each with the diagnostic that it fixes, and the refactorings that are possible
 * there.
 */
export function codeActions(
  opened: Opened,
  range: Range,
  only: readonly string[] | undefined,
  context: ActionContext,
): CodeAction[] {
  const wants = (kind: string): boolean =>
    only === undefined || only.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`));
  const { positions } = opened;
  const from = positions.offsetAt(range.start);
  const to = positions.offsetAt(range.end);
  const all = problemsIn(opened).filter(({ problem }) => context.severity[problem.code] !== 'off');
  const here = all.filter(({ start, end }) => start <= to && from <= end);
  const actions: CodeAction[] = [];
  if (wants(CodeActionKind.QuickFix)) {
    for (const problem of here) append(actions, quickFixes(problem, opened, context));
  }
  if (wants(CodeActionKind.RefactorExtract)) append(actions, extractView(opened, from, context.canCreateFiles));
  const fixable = all.filter(({ problem }) => problem.fix?.sure);
  if (wants(CodeActionKind.SourceFixAll) && fixable.length > 0) {
    actions.push({
      title: 'Fix all problems that have an obvious fix',
      kind: CodeActionKind.SourceFixAll,
      edit: { changes: { [opened.uri]: apart(fixable.flatMap((problem) => edits(problem, opened))) } },
    });
  }
  return withLineBreaks(actions, (uri) => opened.root.index.file(uri)?.text);
}

function quickFixes(located: LocatedProblem, opened: Opened, context: ActionContext): CodeAction[] {
  const { workspace, preview, canCreateFiles } = context;
  const { problem } = located;
  const diagnostic = convert(located, opened);
  const found: CodeAction[] = [];
  const fixes = [problem.fix, ...furtherFixes(problem)].filter((fix) => fix !== undefined);
  for (const fix of fixes) found.push(action(fix, located, opened, diagnostic, preview));
  const wider = [
    ...(problem.code === 'missing-primary-key' ? addPrimaryKey(problem, opened, workspace) : []),
    ...moveKey(located, opened, preview),
    ...createMissing(located, opened, workspace, canCreateFiles),
    ...spacesForTabs(located, opened),
  ];
  for (const mend of wider) found.push({ ...mend, diagnostics: [diagnostic] });
  // Such a comment does not hide an error, because the platform refuses the model in spite of it.
  if (located.severity !== 'error') found.push(ignore(located, opened, diagnostic));
  return found;
}

/** Only certain fixes are preferred: *Auto Fix* applies those without asking. */
function action(
  fix: Fix,
  { base }: LocatedProblem,
  opened: Opened,
  diagnostic: Diagnostic,
  preview: Preview,
): CodeAction {
  const { positions, file } = opened;
  const { range, newText } = editOf(fix, base, positions, file.text);
  const [start, end] = [positions.offsetAt(range.start), positions.offsetAt(range.end)];
  return {
    title: fix.title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [diagnostic],
    ...(fix.sure ? { isPreferred: true } : {}),
    ...previewed({ title: fix.title, start, end, text: newText }, opened, fix.text === '' ? preview : 'none'),
  };
}

/** Returns alternative fixes that follow from the code alone. */
function furtherFixes({ code, start, end, message }: Problem): Fix[] {
  const quote: Partial<Record<Code, string>> = { 'unquoted-braces': 'Put the SQL in quotes' };
  const title = quote[code];
  return title === undefined || message === '' ? [] : [{ title, start, end, text: '\u0000' }];
}

function edits(located: LocatedProblem, { positions, file }: Opened): TextEdit[] {
  return located.problem.fix ? [editOf(located.problem.fix, located.base, positions, file.text)] : [];
}

/**
 * Returns the edit of a fix. An empty text removes the range, with its line if nothing else is on it. `\0` stands for the text in
 * quotes.
 */
function editOf(fix: Fix, base: number, positions: Opened['positions'], text: string): TextEdit {
  const start = base + fix.start;
  const end = base + fix.end;
  if (fix.text === '\u0000')
    return {
      range: rangeOf(positions, start, end),
      newText: `"${text.slice(start, end).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
    };
  if (fix.text !== '') return { range: rangeOf(positions, start, end), newText: fix.text };
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const isWholeLine =
    text.slice(lineStart, start).trim() === '' && text.slice(end, lineEnd === -1 ? text.length : lineEnd).trim() === '';
  if (isWholeLine)
    return { range: rangeOf(positions, lineStart, lineEnd === -1 ? text.length : lineEnd + 1), newText: '' };
  const comma = /^\s*,\s*/.exec(text.slice(end));
  return { range: rangeOf(positions, start, end + (comma?.[0].length ?? 0)), newText: '' };
}

/** Returns edits that do not overlap: if two do, the first stays. */
function apart(edits: readonly TextEdit[]): TextEdit[] {
  const sorted = [...edits].sort(
    (a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
  );
  const kept: TextEdit[] = [];
  for (const edit of sorted) {
    const last = kept.at(-1)?.range.end;
    const isBehind =
      !last ||
      edit.range.start.line > last.line ||
      (edit.range.start.line === last.line && edit.range.start.character >= last.character);
    if (isBehind) kept.push(edit);
  }
  return kept;
}

function ignore(
  { problem, start }: LocatedProblem,
  { uri, positions, file }: Opened,
  diagnostic: Diagnostic,
): CodeAction {
  const at = lineOfIgnore(file.text, start, file.language === 'script');
  const indent = /^ */.exec(file.text.slice(at, at + 200))?.[0] ?? '';
  const sign = file.language === 'yaml' ? '#' : '//';
  const newText = `${indent}${sign} modelbench-ignore: ${problem.code}\n`;
  return {
    title: `Ignore \`${problem.code}\` on this line`,
    kind: CodeActionKind.QuickFix,
    diagnostics: [diagnostic],
    edit: { changes: { [uri]: [{ range: rangeOf(positions, at, at), newText }] } },
  };
}
