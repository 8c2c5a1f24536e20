import { continuesExpression } from './expression-words.ts';

/**
 * What the engine's reader of Python expressions does with words and characters that do not belong there (it reports no error of its
 * own, but skips them until an expression makes sense): see docs/model-language.md#strings.
 */

/** How an expression is written: between the braces of a text, or alone as a reference. */
export type Enclosure = 'braces' | 'reference';

/** Keywords that are skipped in front of an expression, wherever it stands. */
const SKIPPED = 'and as await elif else except finally in is or try';
/** Keywords that are skipped in front of an expression in braces. In front of a reference they begin a statement, which is refused. */
const STATEMENTS = `assert async break class continue def del for from global if import nonlocal pass raise return while with yield`;
const SYMBOLS = String.raw`\*\*|<<|>>|//|[=!<>]=|->|[+-]=|[*),:;=\]|^&+\-/%~<>?$!.${'`'}\\]`;

const either = (words: string): string => words.replaceAll(' ', '|');
const FIRST = String.raw`(?=\s*(?!(?:True|False|None|lambda)\b)[\p{L}_])`;
const LEADING: Readonly<Record<Enclosure, RegExp>> = {
  braces: new RegExp(
    String.raw`^(?:\s*(?:(?:${either(`${SKIPPED} ${STATEMENTS}`)})(?=\W)|${SYMBOLS}|@))+${FIRST}`,
    'u',
  ),
  reference: new RegExp(String.raw`^(?:\s*(?:(?:${either(SKIPPED)})(?=\W)|${SYMBOLS}))+${FIRST}`, 'u'),
};
/** Names with dots, where `_` stands for whatever is in brackets behind one. */
const VALUE = String.raw`^\s*[\p{L}_][\p{L}\w]*(?:\s*\.\s*[\p{L}_][\p{L}\w]*)*`;
const READ = new RegExp(VALUE, 'u');
const TRAILING_SYMBOLS = String.raw`\*\*|//|->|[*),;=\]/%@?$!${'`'}\\]`;
const TRAILING: Readonly<Record<Enclosure, RegExp>> = {
  braces: new RegExp(
    String.raw`^(?:\s*(?:\b(?:False|None|True|lambda|and|as|await|elif|else|except|finally|try|assert|async|break|class|continue|def|del|for|from|global|import|nonlocal|pass|raise|return|while|with|yield)\b|${TRAILING_SYMBOLS}|\.\.\.|[+-]=|[:~]))+\s*$`,
    'u',
  ),
  reference: new RegExp(String.raw`^(?:\s*(?:\b(?:and|as|elif|else|except|finally)\b|${TRAILING_SYMBOLS}))+\s*$`, 'u'),
};
/** Behind a value, words and characters at which the engine stops: it drops the rest of the text. */
const STOPS = /^(\s*(?:\b(?:as|await|elif|else|except|finally|try)\b|->|[)\]~?$`\\]|!(?!=)))\s*[^\s)\]~?$!`\\]/u;
/** Words and characters without any expression. */
const NOTHING = new RegExp(
  String.raw`^(?:\s*(?:\b(?:and|in|is|or|as|elif|else|except|finally)\b|${SYMBOLS}|@))+\s*$`,
  'u',
);

/** Returns the length of what the engine skips in front of the first name of an expression. */
export function skippedLength(expression: string, enclosure: Enclosure): number {
  return LEADING[enclosure].exec(expression)?.[0].length ?? 0;
}

/** Checks whether the engine stops at a position behind a value, and ignores the rest of the text. */
export function stopsAt(rest: string): boolean {
  return STOPS.test(rest);
}

/** Checks for one word and nothing else. */
export function isSingleWord(text: string): boolean {
  return /^\s*[\p{L}\w]+\s*$/u.test(text);
}

/** Returns the length of the word or character behind a value at which the engine stops; 0 if it does not. */
export function stopLength(rest: string): number {
  return STOPS.exec(rest)?.[1]?.length ?? 0;
}

/** Checks for an expression of which the engine skips everything. */
export function isSkipped(expression: string): boolean {
  return NOTHING.test(expression) && !/^\s*(?:\.\.\.|\*\s*$)/.test(expression);
}

/** Checks whether the engine skips all of the text behind a value. */
export function isSkippedBehind(rest: string, enclosure: Enclosure): boolean {
  return TRAILING[enclosure].test(rest);
}

/** Splits an expression without brackets and quotes into the names that are read and what is behind them. */
export function splitBehindNames(expression: string): { readonly names: string; readonly rest: string } | undefined {
  const [names] = READ.exec(expression) ?? [];
  return names === undefined ? undefined : { names, rest: expression.slice(names.length) };
}

/** An expression and a single word in braces, at the beginning of a text. */
const BRACED_PAIR = /^[\s$]*\{\s*[\w.()]+\s+(?=(\w+)\s*\})/;

/** Returns the length of what the engine ignores at the beginning of a reference: of two words in braces, it reads the second. */
export function droppedLength(text: string): number {
  const [dropped = '', word = ''] = BRACED_PAIR.exec(text) ?? [];
  return word === '' || continuesExpression(word) ? 0 : dropped.length;
}
