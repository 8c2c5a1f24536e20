import { own } from '#base/own.ts';

/** One line of an ignore file, ready for matching. */
export interface IgnorePattern {
  /** The line as written. */
  readonly text: string;
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  /** The pattern has no slash: it matches names at any depth. */
  readonly nameOnly: boolean;
  readonly matches: (path: string) => boolean;
}

/**
 * Parses a line as Git does; returns `undefined` for a blank line, a comment, or a pattern that cannot match anything.
 * Matching takes time proportional to the lengths of pattern and path, whatever the pattern contains.
 */
export function readPattern(line: string): IgnorePattern | undefined {
  let text = withoutTrailingSpaces(line.replace(/\r$/, ''));
  if (text === '' || text.startsWith('#')) return undefined;
  const negated = text.startsWith('!');
  if (negated) text = text.slice(1);
  const foldersOnly = text.endsWith('/');
  if (foldersOnly) text = text.slice(0, -1);
  const nameOnly = !text.includes('/');
  if (text.startsWith('/')) text = text.slice(1);
  if (text === '') return undefined;
  const matches = matcher(text);
  return matches && { text: line, negated, foldersOnly, nameOnly, matches };
}

/** Removes trailing spaces, unless they are escaped. */
function withoutTrailingSpaces(text: string): string {
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') {
      at += 1;
      end = at + 1;
    } else if (text[at] !== ' ') end = at + 1;
  }
  return text.slice(0, end);
}

type Matcher = (text: string) => boolean;

/** Any number of characters within one name. */
const CHARACTERS = Symbol('*');
/** Any number of whole folders. */
const FOLDERS = Symbol('**/');
/** Any number of characters across names. */
const ANYTHING = Symbol('**');
type Token = ((code: number) => boolean) | typeof CHARACTERS | typeof FOLDERS | typeof ANYTHING;

const SPECIAL = /[*?[\\]/;

function matcher(glob: string): Matcher | undefined {
  if (!SPECIAL.test(glob)) return (text) => text === glob;
  const rest = glob.slice(1);
  if (glob.startsWith('*') && !SPECIAL.test(rest) && !rest.includes('/')) {
    return (text) => text.endsWith(rest) && !text.includes('/');
  }
  const tokens = readTokens(glob);
  if (!tokens) return undefined;
  // Most paths lack some literal text of the pattern, and checking for that is faster than matching the tokens.
  const literals = /[[\\]/.test(glob) ? [] : glob.split(/[*?/]+/);
  return (text) => literals.every((literal) => text.includes(literal)) && run(tokens, codesOf(text));
}

/**
 * Checks whether the tokens match a text. It follows all ways through them at once, so that this never takes longer than text
 * length times token count.
 */
function run(tokens: readonly Token[], codes: readonly number[]): boolean {
  let now = new Set<number>();
  enter(tokens, 0, now);
  for (const code of codes) {
    const next = new Set<number>();
    for (const at of now) step(tokens, at, code, next);
    if (next.size === 0) return false;
    now = next;
  }
  return now.has(tokens.length);
}

/** Adds the position before a token, and the following ones where the token may match nothing. */
function enter(tokens: readonly Token[], from: number, into: Set<number>): void {
  for (let at = from; ; at++) {
    into.add(at);
    if (tokens[at] !== CHARACTERS && tokens[at] !== FOLDERS && tokens[at] !== ANYTHING) return;
  }
}

function step(tokens: readonly Token[], at: number, code: number, next: Set<number>): void {
  const token = tokens[at];
  if (token === CHARACTERS) {
    if (code !== SLASH) enter(tokens, at, next);
  } else if (token === FOLDERS) {
    next.add(at);
    if (code === SLASH) enter(tokens, at + 1, next);
  } else if (token === ANYTHING) enter(tokens, at, next);
  else if (token?.(code) === true) enter(tokens, at + 1, next);
}

interface ReadToken {
  readonly token: Token;
  /** The position of its last character. */
  readonly end: number;
}

/** Returns the tokens of a pattern; `undefined` for an unterminated bracket or escape, with which Git matches nothing. */
function readTokens(glob: string): readonly Token[] | undefined {
  const codes = codesOf(glob);
  const tokens: Token[] = [];
  for (let at = 0; at < codes.length; at++) {
    const read = readToken(glob, codes, at);
    if (!read) return undefined;
    tokens.push(read.token);
    at = read.end;
  }
  return tokens;
}

function readToken(glob: string, codes: readonly number[], at: number): ReadToken | undefined {
  switch (codes[at]) {
    case STAR:
      return readStars(glob, codes, at);
    case QUESTION:
      return { token: (code) => code !== SLASH, end: at };
    case BRACKET: {
      const set = readSet(codes, at + 1);
      return set && { token: (code) => code !== SLASH && set.fits(code), end: set.end };
    }
    default: {
      const literal = readLiteral(codes, at);
      return literal && { token: (code) => code === literal.code, end: literal.end };
    }
  }
}

function readStars(glob: string, codes: readonly number[], from: number): ReadToken {
  let end = from;
  while (codes[end + 1] === STAR) end += 1;
  // Git compares the literal prefix of a pattern separately, so stars right after it count as leading.
  const isFirst = from === 0 || codes[from - 1] === SLASH || (glob.includes('/') && from === glob.search(SPECIAL));
  if (end === from || !isFirst) return { token: CHARACTERS, end };
  const [next, second] = [codes[end + 1], codes[end + 2]];
  if (next === SLASH) return { token: FOLDERS, end: end + 1 };
  const isWhole = next === undefined || (next === BACKSLASH && second === SLASH);
  return { token: isWhole ? ANYTHING : CHARACTERS, end };
}

interface CharacterSet {
  readonly fits: (code: number) => boolean;
  /** The position of its last character. */
  readonly end: number;
}

const SLASH = 0x2f;
const STAR = 0x2a;
const QUESTION = 0x3f;
const BRACKET = 0x5b;
const CLOSING = 0x5d;
const BACKSLASH = 0x5c;
const DASH = 0x2d;
const EXCLAMATION = 0x21;
const CARET = 0x5e;
const COLON = 0x3a;

/** Reads the character set that starts after a bracket: single characters, ranges, and classes such as `[:digit:]`. */
function readSet(codes: readonly number[], from: number): CharacterSet | undefined {
  const negated = codes[from] === EXCLAMATION || codes[from] === CARET;
  let at = negated ? from + 1 : from;
  const members: CharacterSet[] = [];
  do {
    const member = readMember(codes, at);
    if (!member) return undefined;
    members.push(member);
    at = member.end + 1;
  } while (codes[at] !== CLOSING);
  return { fits: (code) => members.some(({ fits }) => fits(code)) !== negated, end: at };
}

/** Reads one character, range or class of a set. */
function readMember(codes: readonly number[], at: number): CharacterSet | undefined {
  const known = codes[at] === BRACKET && codes[at + 1] === COLON ? readClass(codes, at + 2) : undefined;
  if (known) return known === 'unknown' ? undefined : known;
  const low = readLiteral(codes, at);
  if (!low) return undefined;
  const next = low.end + 1;
  const isRange = codes[next] === DASH && codes[next + 1] !== CLOSING;
  const high = isRange ? readLiteral(codes, next + 1) : low;
  return high && { fits: (code) => code >= low.code && code <= high.code, end: high.end };
}

function readLiteral(
  codes: readonly number[],
  at: number,
): { readonly code: number; readonly end: number } | undefined {
  const end = codes[at] === BACKSLASH ? at + 1 : at;
  const code = codes[end];
  return code === undefined ? undefined : { code, end };
}

const classes: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z0-9]/i,
  alpha: /[a-z]/i,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /[0-9]/,
  graph: /[\x21-\x7e]/,
  lower: /[a-z]/,
  print: /[\x20-\x7e]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[0-9a-f]/i,
};

/** Reads `[:name:]`; returns `undefined` where the end is missing, `unknown` for a name that Git does not know. */
function readClass(codes: readonly number[], from: number): CharacterSet | 'unknown' | undefined {
  const close = codes.indexOf(CLOSING, from);
  if (close === -1 || codes[close - 1] !== COLON || close - 1 < from) return undefined;
  const expression = own(
    classes,
    codes
      .slice(from, close - 1)
      .map((code) => String.fromCodePoint(code))
      .join(''),
  );
  if (!expression) return 'unknown';
  return { fits: (code) => expression.test(String.fromCodePoint(code)), end: close };
}

function codesOf(text: string): readonly number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}
