import type { TaggedTemplateExpression, TemplateLiteral } from 'acorn';
import type { Evaluating } from './effects.ts';
import { isPath } from './keys.ts';
import { rawText } from './methods.ts';
import { type Scope, unknown, type Value } from './value.ts';

/** Returns what a tagged template yields: a function of the script is called with it, and ``String.raw`…` `` is its text. */
export function taggedTemplate(node: TaggedTemplateExpression, scope: Scope, evaluating: Evaluating): Value {
  const { tag, quasi } = node;
  const isRaw = tag.type === 'MemberExpression' && evaluating.isFree(tag.object, scope) && tag.object.name === 'String';
  const text = isRaw ? rawText(node) : undefined;
  if (text !== undefined) return { is: 'primitive', value: text, node };
  const called = isPath(tag) && !isRaw ? evaluating.value(tag, scope) : undefined;
  if (called?.is === 'function') return evaluating.apply(called, argumentsOf(quasi, scope, evaluating), node);
  evaluating.effects?.skipped(node);
  return unknown(node);
}

/** Returns what a tag is called with: the texts of a template as a list, and the values between them. */
function argumentsOf(node: TemplateLiteral, scope: Scope, evaluating: Evaluating): readonly Value[] {
  const items = node.quasis.map(({ value: { cooked } }): Value => ({
    is: 'primitive',
    value: cooked ?? undefined,
    node,
  }));
  const texts: Value = { is: 'list', items, node };
  evaluating.effects?.made(texts);
  return [texts, ...node.expressions.map((each) => evaluating.value(each, scope))];
}
