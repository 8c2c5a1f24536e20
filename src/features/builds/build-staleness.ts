import { wordsOnly } from '#base/words.ts';

/** Lines and UTF-16 code units from 0, end exclusive. */
interface TextRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** What an edit replaced, by places before the edit, and with what. */
interface TextChange {
  readonly range: TextRange;
  readonly text: string;
}

/** How many lines down a place goes by edits above it; what is edited on its own line or below moves it nowhere. */
export function linesDown({ start }: TextRange, changes: readonly TextChange[]): number {
  return changes
    .filter(
      ({ range: { end } }) => end.line < start.line || (end.line === start.line && end.character <= start.character),
    )
    .reduce((sum, { range, text }) => sum + text.split('\n').length - 1 - (range.end.line - range.start.line), 0);
}

/** The text of a line without its indentation, and nothing where the text has no such line: where a problem of an earlier version is shown. */
export function wholeLine(text: string, line: number): TextRange {
  const content = text.split(/\r?\n/)[line] ?? '';
  const start = content.length - content.trimStart().length;
  return { start: { line, character: start }, end: { line, character: content.trimEnd().length } };
}

/** The source shown with a problem of a branch's build. It names no commit, because a dev branch is built with what is not committed yet. */
export function buildSource(branchName: string): string {
  return `Modelbench build of ${branchName}`;
}

/** What of a problem of our own is compared with those of a build. */
interface OwnProblem {
  readonly source?: string | undefined;
  readonly code?: unknown;
  readonly message?: string | undefined;
  readonly range?: TextRange | undefined;
}

/** Whether one of our own problems of a file says that its text cannot be read: then a build’s problems of it only repeat that. */
export function saysUnreadable({ source, code }: OwnProblem): boolean {
  return source === 'modelbench' && codeOf(code) === 'yaml-syntax';
}

/** Whether one of our own problems already shows what a compiler said of this line: then a build’s problem only repeats it. */
export function saysSame(
  { source, code, message, range }: OwnProblem,
  built: { readonly message: string; readonly range: TextRange },
): boolean {
  if (source !== 'modelbench' || codeOf(code) !== 'engine') return false;
  return range?.start.line === built.range.start.line && firstWords(message ?? '') === firstWords(built.message);
}

function codeOf(code: unknown): unknown {
  return typeof code === 'object' && code !== null && 'value' in code ? code.value : code;
}

/** The words of the first line without the cube's name in front, which versions of the engine quote differently. */
function firstWords(message: string): string {
  const [line = ''] = message.replace(/^\w+ (?:cube|view group): /, '').split('\n');
  return wordsOnly(line);
}
