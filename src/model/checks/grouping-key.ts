import type { Problem } from '../codes.ts';
import type { Reference } from '../references.ts';
import type { ResolvedReference } from '../resolve.ts';
import type { EntitySymbol } from '../symbols.ts';
import { SELF } from '../syntax/known-names.ts';
import { type ScalarNode, scalarType, type TreeNode } from '../syntax/tree.ts';
import { notCallable } from './mistaken-calls.ts';
import { isComputedText, wrongType } from './wrong-type.ts';

/** Checks the `key` of a dimension, which is evaluated when only `CUBE` is known. */
export function checkGroupingKey(
  reference: Reference,
  resolution: ResolvedReference,
  { name, chunk }: EntitySymbol,
): Problem[] {
  const { segments, start, end, node } = reference;
  const [head] = segments;
  const isText = chunk.kind === 'script' && node.style !== 'code';
  // A variable may hold a path as a text.
  if (!head || (!isText && chunk.locals.has(head.text))) return [];
  const wanted = segments.at(-1)?.text ?? '';
  const isOwnPath = isText && head.text === name && segments.length > 1;
  if (!isOwnPath && !SELF.has(head.text)) return [notKnownHere(reference, wanted)];
  if (reference.call) return [notCallable(reference, resolution.referents.at(-1))];
  if (!isCubeAlone(reference, head.text) && mayBeDimension(resolution)) return nestedKeyOf(reference, resolution);
  return [{ code: 'unknown-reference', start, end, message: `\`${name}\` has no dimension \`${wanted}\`.` }];
}

function notKnownHere({ start, end }: Reference, wanted: string): Problem {
  const text = `CUBE.${wanted}`;
  const fix = { title: `Change to \`${text}\``, start, end, text, sure: true };
  const message = `The engine knows only \`CUBE\` here: write \`${text}\`.`;
  return { code: 'unknown-reference', start, end, message, fix };
}

function isCubeAlone({ segments, node: { style, value } }: Reference, cube: string): boolean {
  const isYaml = style !== 'code' && style !== 'template';
  return segments.length === 1 && (isYaml ? !/[([]/.test(value) : value.trim() === cube);
}

/** Checks a key of a script that is written as another value than a name: the engine takes its text for a path. */
export function checkKeyValue(node: TreeNode): Problem[] {
  const isPath = node.kind === 'scalar' && (isComputedText(node) || (isQuoted(node) && node.style !== 'template'));
  if (isPath && node.value !== '') return [];
  if (node.kind === 'scalar' && /^\w+\.\w+$/.test(node.value) && scalarType(node) === 'string') return [];
  return [wrongType(node, 'a reference to a dimension of this cube: `CUBE.name`')];
}

function isQuoted({ style }: ScalarNode): boolean {
  return style === 'single' || style === 'double' || style === 'template';
}

/** Checks for a key that is a dimension with a key of its own. */
function hasKey({ node }: Reference, { referents }: ResolvedReference): boolean {
  const last = referents.at(-1);
  // Of alternatives, it is not known which one the engine takes.
  return last?.is === 'member' && last.member.member.has('key') && !/\b(?:and|or|not)\b|[&|?]/.test(node.value);
}

function nestedKeyOf(reference: Reference, resolution: ResolvedReference): Problem[] {
  if (!hasKey(reference, resolution)) return [];
  const { segments, start, end } = reference;
  const name = segments.at(-1)?.text ?? '';
  const message = `\`${name}\` has a \`key\` itself: use a dimension without one.`;
  return [{ code: 'unknown-reference', start, end, message }];
}

function mayBeDimension({ referents, unknown }: ResolvedReference): boolean {
  const last = referents.at(-1);
  return !unknown && (last?.is !== 'member' || last.member.kind === 'dimension');
}
