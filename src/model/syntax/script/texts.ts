import type { BinaryExpression, TemplateLiteral } from 'acorn';
import { asText } from './as-text.ts';
import type { Evaluating } from './effects.ts';
import { resultOfBinary } from './operators.ts';
import { type Scope, unknown, type Value } from './value.ts';
import { FILLER } from '#model/syntax/tree.ts';

/** So many characters of a text count as one step of a script. */
const CHARACTERS = 100;

/** Returns the text of a template, or what is known of it. */
export function templateText(node: TemplateLiteral, scope: Scope, evaluating: Evaluating): Value {
  let text = node.quasis[0]?.value.cooked ?? '';
  for (const [at, expression] of node.expressions.entries()) {
    const value = evaluating.value(expression, scope);
    const known = asText(value) ?? patternOf(value);
    text += `${known}${node.quasis[at + 1]?.value.cooked ?? ''}`;
  }
  evaluating.spend(text.length / CHARACTERS);
  if (text.includes(FILLER)) return { ...unknown(node, scope), ...partlyKnown(text) };
  return { is: 'primitive', value: text, node };
}

/** Returns what an operator makes of two values. */
export function binaryOf(node: BinaryExpression, scope: Scope, evaluating: Evaluating): Value {
  if (node.left.type === 'PrivateIdentifier') return unknown(node);
  const [left, right] = [evaluating.value(node.left, scope), evaluating.value(node.right, scope)];
  if (left.is !== 'primitive' || right.is !== 'primitive') {
    const joined = node.operator === '+' ? joinedText(left, right) : undefined;
    if (joined !== undefined) {
      evaluating.spend(joined.length / CHARACTERS);
      return { is: 'primitive', value: joined, node };
    }
    const isText = node.operator === '+' && [left, right].some((each) => isTextual(each));
    const text = [left, right].map((each) => (each.is === 'primitive' ? String(each.value) : patternOf(each))).join('');
    return { ...unknown(node), ...(isText ? partlyKnown(text) : {}) };
  }
  const result = resultOfBinary(node.operator, left.value, right.value);
  if (!result) return unknown(node);
  if (typeof result.value === 'string') evaluating.spend(result.value.length / CHARACTERS);
  return { is: 'primitive', ...result, node };
}

/** Returns the text of two values of which at least one is not a primitive value; undefined if it is not known. */
function joinedText(left: Value, right: Value): string | undefined {
  const [first, second] = [asText(left), asText(right)];
  return first === undefined || second === undefined ? undefined : first + second;
}

/** Returns the pattern of a text; `FILLER` if nothing is known of it. */
function patternOf(value: Value): string {
  return (value.is === 'unknown' ? value.pattern : undefined) ?? FILLER;
}

/** Returns what is known of a text with gaps, unless that is too little or too long for a name. */
function partlyKnown(text: string): { readonly pattern?: string } {
  const isName = text.length < LONGEST_NAME && text.replaceAll(FILLER, '') !== '';
  return isName ? { pattern: text } : {};
}

const LONGEST_NAME = 200;

function isTextual(value: Value): boolean {
  return (
    (value.is === 'primitive' && typeof value.value === 'string') ||
    (value.is === 'unknown' && value.pattern !== undefined)
  );
}
