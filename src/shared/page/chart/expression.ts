import { parseExpression } from 'vega';

/** The maximum length of an expression in characters, and its maximum number of nodes. */
const LONGEST = 1_000;
const MOST_PARTS = 120;
const LONGEST_TEXT = 200;

const CONSTANTS = new Set(['datum', 'NaN', 'E', 'LN10', 'LN2', 'LOG10E', 'LOG2E', 'PI', 'SQRT1_2', 'SQRT2']);

/** Functions whose cost and result are bounded by their arguments; none creates text or lists of an arbitrary length. */
const FUNCTIONS = new Set(
  [
    'isArray isBoolean isDate isDefined isNumber isObject isString isValid isNaN isFinite',
    'toBoolean toDate toNumber toString if',
    'abs acos asin atan atan2 ceil clamp cos exp floor hypot log max min pow round sin sqrt tan',
    'now datetime date day dayofyear week year quarter month hours minutes seconds milliseconds time timezoneoffset',
    'utc utcdate utcday utcdayofyear utcweek utcyear utcquarter utcmonth utchours utcminutes utcseconds utcmilliseconds',
    'dayFormat dayAbbrevFormat monthFormat monthAbbrevFormat timeOffset utcOffset',
    'length indexof lastindexof inrange parseFloat parseInt lower upper slice substring trim truncate',
    'rgb hsl lab hcl luminance contrast',
  ].flatMap((names) => names.split(' ')),
);

/** Functions whose second argument is a format, which must be a literal. */
const FORMATS = new Set(['format', 'timeFormat', 'utcFormat', 'timeParse', 'utcParse']);

/** Names that lead out of a row of data. */
const PROTOTYPE = new Set(['constructor', 'prototype', '__proto__']);

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

const FIELD = String.raw`datum(?:\.\w+|\["[^"]*"\]|\['[^']*'\])+`;
const ARITHMETIC = new RegExp(`^(?:${FIELD}|[\\d.\\s()*/%+-])+$`);

/** Returns an expression whose arithmetic gives no value where a field has none, as in SQL; Vega would calculate with 0. */
export function withoutNulls(source: string): string {
  if (!ARITHMETIC.test(source)) return source;
  const fields = new Set(source.match(new RegExp(FIELD, 'g')));
  if (fields.size === 0) return source;
  return `${[...fields].map((field) => `isValid(${field})`).join(' && ')} ? (${source}) : null`;
}

/**
 * Whether a Vega expression only computes with the values of a row: no regular expressions, no signals, data or scales, and no
 * function whose result is larger than its arguments.
 */
export function isPlainExpression(source: string): boolean {
  if (source.length > LONGEST) return false;
  let left = MOST_PARTS;
  const isPlain = (value: unknown): boolean => {
    const node = value as Node;
    left -= 1;
    if (left < 0) return false;
    const all = (...keys: string[]): boolean => keys.every((key) => isPlain(node[key]));
    switch (node.type) {
      case 'Literal':
        return isPlainLiteral(node['value']);
      case 'Identifier':
        return CONSTANTS.has(node['name'] as string);
      case 'MemberExpression':
        return (
          isPlain(node['object']) && (node['computed'] ? isPlainIndex(node['property']) : isPlainName(node['property']))
        );
      case 'UnaryExpression':
        return all('argument');
      case 'BinaryExpression':
      case 'LogicalExpression':
        return all('left', 'right');
      case 'ConditionalExpression':
        return all('test', 'consequent', 'alternate');
      case 'ArrayExpression':
        return (node['elements'] as unknown[]).every(isPlain);
      case 'CallExpression':
        return (
          isPlainCall(node['callee'] as Node, node['arguments'] as Node[]) &&
          (node['arguments'] as Node[]).every(isPlain)
        );
      default:
        return false;
    }
  };
  const isPlainIndex = (value: unknown): boolean => {
    const node = value as Node;
    return node.type === 'Literal' && isPlainName({ type: 'Identifier', name: String(node['value']) });
  };
  try {
    return isPlain(parseExpression(source));
  } catch {
    return false;
  }
}

function isPlainName(value: unknown): boolean {
  const { name } = value as { readonly name?: unknown };
  return typeof name === 'string' && !PROTOTYPE.has(name);
}

function isPlainLiteral(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= LONGEST_TEXT;
  return value === null || typeof value === 'number' || typeof value === 'boolean';
}

function isPlainCall(callee: Node, given: readonly Node[]): boolean {
  const name = callee.type === 'Identifier' ? (callee['name'] as string) : '';
  if (FORMATS.has(name)) {
    const format = given[1];
    return given.length === 2 && format?.type === 'Literal' && isPlainFormat(format['value']);
  }
  if (name === 'replace') return isPlainReplacement(given);
  return FUNCTIONS.has(name);
}

/**
 * Checks whether a call replaces one occurrence of a literal text by another one: `$&` and functions would make the text grow
 * with each use.
 */
function isPlainReplacement([, wanted, replacement, ...more]: readonly Node[]): boolean {
  const written = [wanted, replacement].map((node) => (node?.type === 'Literal' ? node['value'] : undefined));
  return more.length === 0 && written.every((text) => typeof text === 'string') && !String(written[1]).includes('$');
}

/** Whether a format of numbers or times has no more than two digits of width or precision. */
export function isPlainFormat(format: unknown): boolean {
  return typeof format === 'string' && format.length <= 60 && !/\d{3}/.test(format);
}
