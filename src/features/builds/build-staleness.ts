import { wordsOnly } from '#base/words.ts';

/** Lines and UTF-16 code units from 0, end exclusive. */
interface TextRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** An edit: the replaced range in the text before it, and the new text. */
interface TextChange {
  readonly range: TextRange;
  readonly text: string;
}

/** Returns how many lines edits above a position move it down; edits after it, or in its own line, do not move it. */
export function linesDown({ start }: TextRange, changes: readonly TextChange[]): number {
  return changes
    .filter(
      ({ range: { end } }) => end.line < start.line || (end.line === start.line && end.character <= start.character),
    )
    .reduce((sum, { range, text }) => sum + text.split('\n').length - 1 - (range.end.line - range.start.line), 0);
}

/**
 * Returns the range of a line without its indentation, empty if the text has no such line. Problems of an earlier version are
 * shown there.
 */
export function wholeLine(text: string, line: number): TextRange {
  const content = (text.split(/\r\n|\r|\n/)[line] ?? '').trimEnd();
  const start = content.length - content.trimStart().length;
  return { start: { line, character: start }, end: { line, character: content.length } };
}

/**
 * Returns the source of a branch's build problems. It contains no commit, because builds of a dev branch include uncommitted
 * changes.
 */
export function buildSource(branchName: string): string {
  return `Modelbench build of ${branchName}`;
}

/** The fields of a local problem that are compared with those of a build. */
interface OwnProblem {
  readonly source?: string | undefined;
  readonly code?: unknown;
  readonly message?: string | undefined;
  readonly range?: TextRange | undefined;
  /** VS Code's number of it: 0 is an error. */
  readonly severity?: number | undefined;
}

/** The codes of problems because of which a file cannot be read as a whole (docs/model-language.md#diagnostics). */
const unreadable: ReadonlySet<unknown> = new Set([
  'yaml-syntax',
  'script-syntax',
  'jinja-syntax',
  'tab-indent',
  'conflict-marker',
]);

/** Whether a local problem reports that a file cannot be parsed. The build’s problems of the file then only repeat it. */
export function saysUnreadable({ source, code }: OwnProblem): boolean {
  return source === 'modelbench' && unreadable.has(codeOf(code));
}

/**
 * Whether a local problem already shows what a build reports, which then only repeats it: the compiler's message for the same line,
 * or an error of our own at the same place about a name that the build's message has, too.
 */
export function saysSame(
  { source, code, message = '', range, severity }: OwnProblem,
  built: { readonly message: string; readonly range: TextRange },
): boolean {
  if (source !== 'modelbench' || range?.start.line !== built.range.start.line) return false;
  if (codeOf(code) === 'engine') return beginningOf(message) === beginningOf(built.message);
  return severity === 0 && touches(range, built.range) && quotedNames(message).some((name) => hasName(built, name));
}

/** Whether two ranges that start in the same line have a place in common. */
function touches(one: TextRange, other: TextRange): boolean {
  const endsBefore = (first: TextRange, second: TextRange): boolean =>
    first.end.line === second.start.line && first.end.character < second.start.character;
  return !endsBefore(one, other) && !endsBefore(other, one);
}

function quotedNames(message: string): readonly string[] {
  return [...message.matchAll(/`([^`]+)`|“([^”]+)”/g)].map(([, code, text]) => code ?? text ?? '');
}

function hasName({ message }: { readonly message: string }, name: string): boolean {
  const words = wordsOnly(name);
  return words !== '' && ` ${wordsOnly(message)} `.includes(` ${words} `);
}

function codeOf(code: unknown): unknown {
  return typeof code === 'object' && code !== null && 'value' in code ? code.value : code;
}

/** Returns the words of the first line without the leading cube name, which versions of the engine quote differently. */
function beginningOf(message: string): string {
  const [line = ''] = message.replace(/^\w+ (?:cube|view group): /, '').split('\n');
  return wordsOnly(line);
}
