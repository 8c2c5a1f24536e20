/** A text without the marks that stand for what it leaves out. */
export interface WithoutElisions {
  /** As many pieces as the marks left of it; joined by line breaks they are the whole text. */
  readonly pieces: readonly string[];
  readonly text: string;
  readonly isElided: boolean;
}

const DOTS = String.raw`(?:\.{3,}|…)`;
/** A comment of its own line, in every language that models are written in. */
const COMMENT = /^(?:#+|\/\/+|\/\*+|\{#|--|<!--)\s*(.*?)\s*(?:\*\/|#\}|-->)?$/;
const LEFT_OUT =
  /^[([<]?\s*(?:keep |(?:and )?(?:(?:the|your|all) )*(?:existing|rest of|remaining|other|previous)\b|unchanged|omitted|same as|no changes?)|\b(?:unchanged|omitted|as before|stays? the same|as above|go(?:es)? here)[)\].]*$/i;
const BARE = new RegExp(String.raw`^(?:-\s*)?[[{(<]?\s*${DOTS}.{0,60}$`);
const VALUE = new RegExp(String.raw`^([-\w\s"'\`]+:)\s*[[{]?\s*${DOTS}\s*[\]}]?,?$`);
const TRAILING = new RegExp(String.raw`\s+(?:#|//|/\*)\s*${DOTS}.*$`);
const IN_LIST = new RegExp(
  String.raw`(?:,\s*["'\`]?${DOTS}["'\`]?(?=\s*[\],}])|(?<=[[{])\s*["'\`]?${DOTS}["'\`]?\s*,)`,
  'g',
);

/**
 * Takes out the marks that answers put where they leave something out: `# ... existing measures`, a line of dots,
 * `[a, b, ...]`. A comment that the file itself has is none of them.
 */
export function withoutElisions(text: string, base: string | undefined): WithoutElisions {
  const own = new Set(base?.split('\n').map((line) => line.trim()));
  const pieces: string[][] = [[]];
  let isElided = false;
  for (const line of text.split('\n')) {
    const rest = restOf(line, own);
    if (rest !== line) isElided = true;
    if (rest === undefined) pieces.push([]);
    else pieces.at(-1)?.push(rest);
  }
  const whole = pieces.filter((piece) => piece.some((line) => line.trim() !== '')).map((piece) => piece.join('\n'));
  return { pieces: whole, text: whole.join('\n'), isElided };
}

/** What is left of a line; `undefined` where all of it is a mark. */
function restOf(line: string, own: ReadonlySet<string>): string | undefined {
  const trimmed = line.trim();
  if (trimmed === '' || own.has(trimmed)) return line;
  const comment = COMMENT.exec(trimmed)?.[1];
  if (comment !== undefined && isMark(comment)) return undefined;
  // A spread of JavaScript is followed by what is spread.
  if (BARE.test(trimmed) && !/^\.{3}[\w$([{]/.test(trimmed)) return undefined;
  if (VALUE.test(trimmed)) return line.replace(new RegExp(String.raw`:\s*[[{]?\s*${DOTS}.*$`), ':');
  return line.replace(TRAILING, '').replaceAll(IN_LIST, '');
}

function isMark(comment: string): boolean {
  return new RegExp(DOTS).test(comment) || LEFT_OUT.test(comment);
}
