import type { Problem } from '../codes.ts';
import type { Reference } from '../references.ts';
import type { ResolvedReference } from '../resolve.ts';
import type { EntitySymbol } from '../symbols.ts';
import { notCallable } from './mistaken-calls.ts';

/** Checks the `key` of a dimension, which is evaluated when only `CUBE` is known. */
export function checkGroupingKey(
  reference: Reference,
  resolution: ResolvedReference,
  { name }: EntitySymbol,
): Problem[] {
  const { segments, start, end, node } = reference;
  const [head] = segments;
  const wanted = segments.at(-1)?.text ?? '';
  if (!head) return [];
  if (head.text !== 'CUBE' && head.text !== 'TABLE') {
    const text = `CUBE.${wanted}`;
    const fix = { title: `Change to \`${text}\``, start, end, text, sure: true };
    const message = `The engine knows only \`CUBE\` here: write \`${text}\`.`;
    return [{ code: 'unknown-reference', start, end, message, fix }];
  }
  if (reference.call) return [notCallable(reference, resolution.referents.at(-1))];
  const isYaml = node.style !== 'code' && node.style !== 'template';
  const isCubeAlone = segments.length === 1 && (isYaml ? !/[([]/.test(node.value) : node.value.trim() === head.text);
  if (!isCubeAlone && mayBeDimension(resolution)) return hasKey(reference, resolution) ? [nestedKey(reference)] : [];
  return [{ code: 'unknown-reference', start, end, message: `\`${name}\` has no dimension \`${wanted}\`.` }];
}

/** Checks for a key that is a dimension with a key of its own. */
function hasKey({ node }: Reference, { referents }: ResolvedReference): boolean {
  const last = referents.at(-1);
  // Of alternatives, it is not known which one the engine takes.
  return last?.is === 'member' && last.member.member.has('key') && !/\b(?:and|or|not)\b|[&|?]/.test(node.value);
}

function nestedKey({ segments, start, end }: Reference): Problem {
  const name = segments.at(-1)?.text ?? '';
  const message = `\`${name}\` has a \`key\` itself: use a dimension without one.`;
  return { code: 'unknown-reference', start, end, message };
}

function mayBeDimension({ referents, unknown }: ResolvedReference): boolean {
  const last = referents.at(-1);
  return !unknown && (last?.is !== 'member' || last.member.kind === 'dimension');
}
