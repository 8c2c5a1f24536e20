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
/** Keywords in YAML expressions; in a script they are ordinary names. */
export const PYTHON: ReadonlySet<string> = new Set(['lambda', 'not', 'and', 'or', 'is', 'True', 'False', 'None']);
/** Checks whether the engine's expression reader takes a word after a value as a continuation, or fails at it. */
export function continuesExpression(word: string): boolean {
  return WORDS.has(word) || PYTHON.has(word) || STATEMENTS.has(word);
}

/** Checks whether a UTF-16 code unit begins a name in YAML. */
export function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
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
  return parameters.match(/[A-Za-z_$][\w$]*/g) ?? [];
}

/** Checks for a single letter. */
export function isLetter(text: string): boolean {
  return /^[a-z]$/i.test(text);
}
