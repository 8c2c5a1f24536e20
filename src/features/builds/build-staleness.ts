import { wordsOnly } from '#base/words.ts';
import { isUnreadableCode } from '#model/unreadable.ts';

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

/** Whether a local problem reports that a file cannot be parsed. The build’s problems of the file then only repeat it. */
export function saysUnreadable({ source, code }: OwnProblem): boolean {
  return source === 'modelbench' && isUnreadableCode(codeOf(code));
}

/**
 * Whether a local problem already shows what a build reports, which then only repeats it: the compiler's message for the same line,
 * or an error of our own. That is one at the same place about a name that the build's message has, too, or about the value that
 * the build refuses there; one anywhere in the file about the name that the build misses or refuses; and any one where the build
 * says no more than the file.
 */
export function saysSame(
  { source, code, message = '', range, severity }: OwnProblem,
  built: { readonly message: string; readonly range: TextRange },
): boolean {
  if (source !== 'modelbench' || range === undefined) return false;
  const isSameLine = range.start.line === built.range.start.line;
  if (codeOf(code) === 'engine') return isSameLine && beginningOf(message) === beginningOf(built.message);
  if (severity !== 0) return false;
  if (missesSame(message, built) || isWholeFile(built.range)) return true;
  if (!isSameLine || !touches(range, built.range)) return false;
  if (codeOf(code) === 'bad-value' && refusesValue.test(built.message)) return true;
  return quotedNames(message).some((name) => hasName(built, name));
}

/** Whether both are about the name that does not exist: our own message quotes it first. */
function missesSame(message: string, built: { readonly message: string }): boolean {
  const [subject] = quotedNames(message);
  return subject !== undefined && refusesName.test(built.message) && hasName(built, subject);
}

/** How the compiler says that a name does not exist, or that a key or a name is not one. */
const refusesName = /doesn't exist|is not defined|not found|cannot be resolved|is not allowed/;
/** How it says that a value is not one of those that a key can have. */
const refusesValue = /must be one of|does not match any of the allowed types|^(?:\w+ cube: )?"[^"\n]+" must be \[/;

/** Whether a problem is shown in the first line only because nothing says where in the file it is. */
function isWholeFile({ start, end }: TextRange): boolean {
  return start.line === 0 && end.line === 0 && start.character === 0;
}

/** Whether two ranges that start in the same line have a place in common. */
function touches(one: TextRange, other: TextRange): boolean {
  const endsBefore = (first: TextRange, second: TextRange): boolean =>
    first.end.line === second.start.line && first.end.character < second.start.character;
  return !endsBefore(one, other) && !endsBefore(other, one);
}

function quotedNames(message: string): readonly string[] {
  return [...message.matchAll(/`([^`]+)`|“([^“”]+)”/g)].map(([, code, text]) => code ?? text ?? '');
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
