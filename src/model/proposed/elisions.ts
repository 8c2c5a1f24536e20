/** A text without the placeholders for what it omits. */
export interface WithoutElisions {
  /** The pieces between the placeholders; joined by line breaks they are the whole text. */
  readonly pieces: readonly string[];
  readonly text: string;
  readonly isElided: boolean;
}

const DOTS = String.raw`(?:\.{3,}|…)`;
/** The beginning and the end of a comment on a line of its own, in every language that models are written in. */
const OPENS = /^(?:#+|\/\/+|\/\*+|\{#|--|<!--)/;
const CLOSES = /(?:\*\/|#\}|-->)$/;
const LEFT_OUT =
  /^[([<]?\s*(?:keep |(?:and )?(?:(?:the|your|all) )*(?:existing|rest of|remaining|other|previous)\b|unchanged|omitted|same as|no changes?)|\b(?:unchanged|omitted|as before|stays? the same|as above|go(?:es)? here)[)\].]*$/i;
const BARE = new RegExp(String.raw`^(?:-\s*)?(?:[[{(<]\s*)?${DOTS}.{0,60}$`);
const VALUE = new RegExp(String.raw`^([-\w\s"'\`]+:)\s*(?:[[{]\s*)?${DOTS}\s*[\]}]?,?$`);
const TRAILING = new RegExp(String.raw`(?<!\s)\s+(?:#|//|/\*)\s*${DOTS}.*$`);
const IN_LIST = new RegExp(
  String.raw`(?:,\s*["'\`]?${DOTS}["'\`]?(?=\s*[\],}])|(?<=[[{])\s*["'\`]?${DOTS}["'\`]?\s*,)`,
  'g',
);

/**
 * Removes the placeholders that answers use for omissions: `# ... existing measures`, a line of dots, `[a, b, ...]`. Comments
 * that the file itself has are not placeholders.
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

/** Returns a line without its placeholder; `undefined` if there is nothing else on it. */
function restOf(line: string, own: ReadonlySet<string>): string | undefined {
  const trimmed = line.trim();
  if (trimmed === '' || own.has(trimmed)) return line;
  const opening = OPENS.exec(trimmed)?.[0];
  if (opening !== undefined && isMark(trimmed.slice(opening.length).trim().replace(CLOSES, '').trimEnd()))
    return undefined;
  // In JavaScript's spread syntax, an expression follows the dots.
  if (BARE.test(trimmed) && !/^\.{3}[\w$([{]/.test(trimmed)) return undefined;
  if (VALUE.test(trimmed)) return line.replace(new RegExp(String.raw`:\s*[[{]?\s*${DOTS}.*$`), ':');
  return line.replace(TRAILING, '').replaceAll(IN_LIST, '');
}

function isMark(comment: string): boolean {
  return new RegExp(DOTS).test(comment) || LEFT_OUT.test(comment);
}
