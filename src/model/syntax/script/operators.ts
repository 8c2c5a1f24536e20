import type { AnyNode } from 'acorn';
import { asText } from './as-text.ts';
import type { Primitive } from './outcome.ts';
import { truth, unknown, type Value } from './value.ts';

/** What JavaScript makes of two primitive values; undefined for an operator that is not known here. */
export function resultOfBinary(
  operator: string,
  left: Primitive,
  right: Primitive,
): { readonly value: Primitive } | undefined {
  const result = EQUALITY[operator]?.(left, right);
  if (result !== undefined) return { value: result };
  if (operator === '+' && (typeof left === 'string' || typeof right === 'string')) return { value: `${left}${right}` };
  if (typeof left === 'string' && typeof right === 'string') {
    const order = ORDER[operator]?.(left, right);
    if (order !== undefined) return { value: order };
  }
  const [first, second] = [Number(left), Number(right)];
  const value = ORDER[operator]?.(first, second) ?? ARITHMETIC[operator]?.(first, second);
  return value === undefined ? undefined : { value };
}

/** What JavaScript makes of one primitive value; undefined for an operator that is not known here. */
export function resultOfUnary(operator: string, value: Primitive): { readonly value: Primitive } | undefined {
  switch (operator) {
    case '!':
      return { value: !value };
    case '-':
      return { value: -Number(value) };
    case '+':
      return { value: Number(value) };
    case '~':
      return { value: ~Number(value) };
    case 'typeof':
      return { value: value === null ? 'object' : typeof value };
    default:
      return undefined;
  }
}

const EQUALITY: Readonly<Partial<Record<string, (left: Primitive, right: Primitive) => boolean>>> = {
  '===': (left, right) => left === right,
  '!==': (left, right) => left !== right,
  '==': isLooselyEqual,
  '!=': (left, right) => !isLooselyEqual(left, right),
};

const ORDER: Readonly<Partial<Record<string, <T extends string | number>(left: T, right: T) => boolean>>> = {
  '<': (left, right) => left < right,
  '>': (left, right) => left > right,
  '<=': (left, right) => left <= right,
  '>=': (left, right) => left >= right,
};

const ARITHMETIC: Readonly<Partial<Record<string, (left: number, right: number) => number>>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
  '**': (left, right) => left ** right,
  '&': (left, right) => left & right,
  '|': (left, right) => left | right,
  '^': (left, right) => left ^ right,
  '<<': (left, right) => left << right,
  '>>': (left, right) => left >> right,
  '>>>': (left, right) => left >>> right,
};

/** Compares like `==`: texts and booleans as numbers, and `null` only with `undefined`. */
function isLooselyEqual(left: Primitive, right: Primitive): boolean {
  const isNothing = left === null || left === undefined;
  if (isNothing || right === null || right === undefined) return isNothing && (right === null || right === undefined);
  return typeof left === typeof right ? left === right : Number(left) === Number(right);
}

/** Returns whether `a || b`, `a && b` or `a ?? b` yields its left side. */
export function isLeft(left: Value, operator: string): boolean | undefined {
  const isTrue = truth(left);
  if (isTrue === undefined) return undefined;
  if (operator === '??') return left.is !== 'primitive' || (left.value !== null && left.value !== undefined);
  return operator === '&&' ? !isTrue : isTrue;
}

const CONVERSIONS: Readonly<Partial<Record<string, (value: Primitive) => Primitive>>> = { String, Number, Boolean };

/** Checks for `String`, `Number` and `Boolean`. */
export function isConversion(name: string): boolean {
  return Object.hasOwn(CONVERSIONS, name);
}

function converted(name: string, value: Primitive): Primitive {
  return CONVERSIONS[name]?.(value);
}

/** Returns what a call of `String` and the like yields. */
export function convertedValue(name: string, [first]: readonly Value[], node: AnyNode): Value {
  if (first?.is === 'primitive') return { is: 'primitive', value: converted(name, first.value), node };
  const text = first && name === 'String' ? asText(first) : undefined;
  return text === undefined ? unknown(node) : { is: 'primitive', value: text, node };
}
