import { append } from '#base/long-lists.ts';
import { type Options, Parser, type Program } from 'acorn';
import { spend } from '#model/syntax/work.ts';
import type { Correction } from './balance.ts';
import { repaired, type Repaired } from './repair.ts';
import type { SyntaxProblem } from '#model/syntax/tree.ts';

export interface ReadScript {
  readonly program: Program;
  /** The text that the program was read from, as long as the original; half-typed code is replaced in it. */
  readonly text: string;
  readonly problems: readonly SyntaxProblem[];
  /** Whether some of it could not be read at all, so that there may be more definitions. */
  readonly isPartial: boolean;
}

const OPTIONS: Options = {
  ecmaVersion: 'latest',
  sourceType: 'module',
  allowAwaitOutsideFunction: false,
  allowHashBang: true,
};

/** Lines at which a statement begins, whatever is open above them. */
const STATEMENTS =
  /^(?:export\s+)?(?:(?:cube|view|view_group|context|asyncModule)\s*\(|(?:default|const|let|var|function|async|import|class)\b)/gm;

/** Parses a script; if it is half typed, each of its statements on its own. Never fails. */
export function readScript(text: string): ReadScript {
  const whole = tryParse(text, 0);
  if ('body' in whole) return { program: whole, text, problems: [], isPartial: false };
  const starts = [0, ...[...text.matchAll(STATEMENTS)].map(({ index }) => index).filter((start) => start > 0)];
  const problems: SyntaxProblem[] = [];
  const body: Program['body'] = [];
  let isPartial = false;
  const read = starts.map((start, at) => {
    const chunk = readChunk(text, start, starts[at + 1] ?? text.length, problems);
    if (!chunk.program) isPartial = true;
    append(body, chunk.program?.body ?? []);
    return chunk.text;
  });
  if (problems.length === 0) problems.push(problemOf(whole, text, 0));
  const program: Program = { type: 'Program', start: 0, end: text.length, body, sourceType: 'module' };
  return { program, text: read.join(''), problems, isPartial };
}

/** Parses a script from an offset of a text to its end; undefined if it is not right. */
export function readModule(text: string, start: number): Program | undefined {
  spend(text.length - start);
  try {
    return Part.from(text, start);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Parses the text between two offsets. */
function readChunk(
  text: string,
  start: number,
  end: number,
  problems: SyntaxProblem[],
): { readonly program: Program | undefined; readonly text: string } {
  const own = text.slice(start, end);
  const program = tryParse(text.slice(0, end), start);
  if ('body' in program) return { program, text: own };
  const shifted = (chunk: string): Program | Failure => tryParse(text.slice(0, start) + chunk, start);
  const result: Repaired<Program> | undefined = repaired(own, program.at - start, (chunk) => {
    const found = shifted(chunk);
    return 'body' in found ? { read: found } : { at: found.at - start };
  });
  problems.push(problemOf(program, text, start, result?.correction));
  // Text appended at the end shifts no offsets.
  return result ? { program: result.read, text: result.text.slice(0, own.length) } : { program: undefined, text: own };
}

interface Failure {
  readonly at: number;
  readonly message: string;
}

/** Parses from an offset to the end. */
class Part extends Parser {
  static from(text: string, start: number): Program {
    return new this(OPTIONS, text, start).parse();
  }
}

function tryParse(text: string, start: number): Program | Failure {
  // A parser that starts in the middle counts the preceding lines.
  spend(text.length);
  try {
    return start === 0 ? Parser.parse(text, OPTIONS) : Part.from(text, start);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { pos } = error as SyntaxError & { readonly pos?: number };
    return { at: Math.min(pos ?? 0, text.length), message: error.message.replace(/ \(\d+:\d+\)$/, '') };
  }
}

const CORRECTIONS: Readonly<Record<Correction['kind'], (sign: string) => string>> = {
  open: (sign) => `This \`${sign}\` is never closed.`,
  surplus: (sign) => `This \`${sign}\` has no opening bracket: remove it.`,
  comma: () => 'A `,` is missing before this.',
  quote: () => 'This text is never closed: a quote is missing.',
  value: (sign) => `Something is missing after this \`${sign}\`.`,
};

/** Returns the problem; a correction that mending found explains more than the parser's error. `from`: where the correction's text starts. */
function problemOf({ at, message }: Failure, text: string, from: number, correction?: Correction): SyntaxProblem {
  const code = 'script-syntax' as const;
  if (correction) {
    const start = from + correction.start;
    return { start, end: from + correction.end, code, message: CORRECTIONS[correction.kind](text[start] ?? '') };
  }
  const start = Math.min(at, text.length);
  const shown = message === 'Unexpected token' ? 'This is not allowed here.' : message;
  return { start, end: Math.min(start + 1, text.length), code, message: shown };
}
