/** Words of Python or JavaScript that can never be a name. */
export const WORDS: ReadonlySet<string> = new Set([
  'in',
  'if',
  'else',
  'true',
  'false',
  'null',
  'undefined',
  'this',
  'new',
  'typeof',
]);
/** Reserved words of JavaScript, which a script cannot use as names. */
export const RESERVED: ReadonlySet<string> = new Set(
  'break case catch const continue default delete do finally for function instanceof return switch throw try var void while'.split(
    ' ',
  ),
);
/** Words of JavaScript before the name of a variable. */
export const DECLARING: ReadonlySet<string> = new Set(['const', 'let', 'var']);
/** Keywords of Python at which the engine's reader fails wherever they occur. */
const STATEMENTS = new Set(
  'as assert async await break class continue def del elif except finally for from global import nonlocal pass raise return try while with yield'.split(
    ' ',
  ),
);
/** Keywords in YAML expressions, which cannot be names there; in a script they are ordinary names. */
export const PYTHON: ReadonlySet<string> = new Set([
  ...['lambda', 'not', 'and', 'or', 'is', 'True', 'False', 'None'],
  ...STATEMENTS,
]);
/** Checks whether the engine's expression reader takes a word after a value as a continuation, or fails at it. */
export function continuesExpression(word: string): boolean {
  return WORDS.has(word) || PYTHON.has(word);
}

/** Checks whether a UTF-16 code unit begins a name in YAML: a letter of any language, or `_`. */
export function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || (code > 127 && isForeign(code));
}

function isForeign(code: number): boolean {
  return /\p{L}/u.test(String.fromCharCode(code));
}

/** Checks whether a UTF-16 code unit is an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Checks whether a UTF-16 code unit is ASCII white space. */
export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** Returns the names in a list of parameters, including those in patterns and default values. */
export function namesIn(parameters: string): readonly string[] {
  return parameters.match(/[\p{L}_$][\p{L}\w$]*/gu) ?? [];
}

/** Checks for a single letter. */
export function isLetter(text: string): boolean {
  return /^[a-z]$/i.test(text);
}

/** Checks whether a UTF-16 code unit begins a name, a number or a string in YAML. */
export function isValueStart(code: number): boolean {
  return isNameStart(code) || isDigit(code) || code === 34 || code === 39;
}

/** Checks for a property after a dot; in a script, three dots are those of `...names`. */
export function isProperty(text: string, at: number, isScript: boolean): boolean {
  return text[at - 1] === '.' && !(isScript && text.startsWith('...', at - 3));
}

/** Checks for a quote before `to`, which in a double-quoted scalar may follow a backslash. */
export function isQuoteAt(text: string, at: number, to: number): boolean {
  if (at >= to) return false;
  const char = text[at];
  return char === '"' || char === "'" || (char === '\\' && text[at + 1] === '"');
}
