const TEXT = /"(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$)/gs;
const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const KEYWORDS = words('and or not if else elif in is true false none True False None recursive as');
/** Functions whose result depends on their arguments only. */
const FUNCTIONS = words('range dict namespace cycler joiner caller self varargs kwargs');
/** Names whose values only the platform knows, or that yield something else each time. */
const OF_PLATFORM = words('COMPILE_CONTEXT env_var now randrange lipsum debug');
const FILTERS =
  words(`abs attr batch bool capitalize center count d default dictsort e escape filter first float format groupby indent int
  items join keys last length lines list lower map max min pprint reject rejectattr replace reverse round safe select
  selectattr slice sort split string sum title tojson trim truncate unique upper urlencode values wordcount zip`);
const TESTS =
  words(`boolean containing defined divisibleby endingwith eq equalto escaped even false filter float ge greaterthan gt
  in integer iterable le lessthan lower lt mapping ne none number odd safe sameas sequence startingwith string test true
  undefined upper`);

/** Replaces the contents of an expression's quoted texts by spaces, so that only code is searched; keeps the length. */
export function withoutTexts(expression: string): string {
  return expression.replaceAll(TEXT, (text) => `"${' '.repeat(Math.max(0, text.length - 2))}"`);
}

/** Returns the variables and functions that an expression reads, in order. */
export function variablesIn(expression: string): readonly string[] {
  const bare = withoutTexts(expression);
  return [...bare.matchAll(/(?<![.\w]|\|\s{0,9}|\bis\s{1,9}|\bis\s{1,9}not\s{1,9})[a-z_]\w*(?!\w|\s*=(?!=))/gi)]
    .map(([name]) => name)
    .filter((name) => !KEYWORDS.has(name));
}

/** Checks whether an expression uses a filter or test whose result is unknown here, such as one that `globals.py` defines. */
export function usesUnknownFilter(expression: string): boolean {
  const bare = withoutTexts(expression);
  return (
    [...bare.matchAll(/\|\s*([a-z_]\w*)/gi)].some(([, name = '']) => !FILTERS.has(name)) ||
    [...bare.matchAll(/\bis\s+(?:not\s+)?([a-z_]\w*)/gi)].some(([, name = '']) => !TESTS.has(name))
  );
}

/** Checks whether the template engine itself provides a name, with the same result every time. */
export function isBuiltIn(name: string): boolean {
  return FUNCTIONS.has(name);
}

/** Checks for a name that only the platform can evaluate. */
export function isOfPlatform(name: string): boolean {
  return OF_PLATFORM.has(name);
}

/** A call that is the whole expression: `m(1, b=2)` or `lib.m(x)`. */
export interface Call {
  readonly callee: string;
  readonly args: readonly string[];
}

/** Returns the call that an expression consists of; undefined if it is anything else. */
export function callIn(expression: string): Call | undefined {
  const [whole, callee, inner] = /^\s*([a-z_]\w*(?:\.[a-z_]\w*)?)\s*\((.*)\)\s*$/is.exec(expression) ?? [];
  if (whole === undefined || callee === undefined || inner === undefined) return undefined;
  const args = splitAtCommas(inner);
  return args && { callee, args };
}

/**
 * Splits at the commas outside of brackets and quotes; returns undefined if the brackets do not match, so that it is not a list.
 */
export function splitAtCommas(list: string): readonly string[] | undefined {
  const bare = withoutTexts(list);
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < bare.length; at++) {
    const character = bare.charAt(at);
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth--;
    else if (character === ',' && depth === 0) {
      pieces.push(list.slice(start, at));
      start = at + 1;
    }
    if (depth < 0) return undefined;
  }
  if (depth !== 0) return undefined;
  const last = list.slice(start);
  return last.trim() === '' ? pieces : [...pieces, last];
}
