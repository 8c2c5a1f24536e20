import type { Problem } from '../codes.ts';
import type { ModelIndex } from '../index.ts';
import type { Reference } from '../references.ts';
import { continuesExpression } from '#model/expressions/expression-words.ts';
import type { EntitySymbol } from '../symbols.ts';
import { INHERITED } from '../syntax/known-names.ts';

/** Contexts of a query that the engine reads as attributes of the security context. */
const SHORT = /^(?:userAttributes|user_attributes|groups)$/;

/**
 * Reports a value of the query's context in place of a member: while the model is compiled, the context is empty, so that the
 * engine finds nothing there and fails. The compile context is already known then.
 */
export function checkContextReference(reference: Reference, entity: EntitySymbol, index: ModelIndex): Problem[] {
  const { segments, start, end, form, checked, call } = reference;
  const [head, property] = segments;
  if (!head || form !== 'path' || !checked || head.text === 'COMPILE_CONTEXT' || !isAlone(reference)) return [];
  if (!isEmptyContext(head.text, property?.text) && (property !== undefined || !call)) return [];
  const name = segments.map(({ text }) => text).join('.');
  const hasMember = property === undefined && index.member(entity, name) !== undefined;
  const hint = hasMember ? `write \`CUBE.${name}\` for the member` : 'write the name of a member';
  const message = `\`${name}\` is a value of the query's context, which is known only when a query runs: ${hint}.`;
  const fix = hasMember
    ? { title: `Change to \`CUBE.${name}\``, start, end, text: `CUBE.${name}`, sure: true }
    : undefined;
  return [{ code: 'unknown-reference', start, end, message, fix }];
}

/** Checks whether a path into the context of a query leads to nothing while the model is compiled. */
export function isEmptyContext(head: string, property: string | undefined): boolean {
  if (head === 'COMPILE_CONTEXT') return false;
  return SHORT.test(head) || (property !== undefined && !INHERITED.has(property));
}

/** Checks whether the engine reads nothing but this path, so that its value is the reference. */
function isAlone({ whole, node, segments }: Reference): boolean {
  if (node.style === 'code') return whole;
  if (node.style === 'template') return false;
  const text = node.value.replaceAll(/[{}$]/g, '').trim();
  const path = segments.map((segment) => segment.text).join('.');
  const [, word, symbol] = /^(?:\([^()]*\))?\s*(\w+)?(.)?/.exec(text.slice(path.length)) ?? [];
  if (!text.startsWith(path)) return false;
  return word === undefined ? symbol === undefined : !continuesExpression(word);
}
