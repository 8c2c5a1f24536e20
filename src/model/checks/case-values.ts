import type { Problem } from '../codes.ts';
import type { ModelIndex } from '../index.ts';
import { resolve } from '../resolve.ts';
import { nearestName } from '../suggest.ts';
import { isWrittenText, switchValues } from '../switch-values.ts';
import type { EntitySymbol } from '../symbols.ts';
import { findPair, type MapNode, type ScalarNode } from '../syntax/tree.ts';

/** Reports branches of a case for values that its switch dimension does not have. */
export function checkCaseValues(entity: EntitySymbol, index: ModelIndex): Problem[] {
  if (entity.chunk.templated) return [];
  return entity.references.flatMap((reference): Problem[] => {
    if (reference.shape !== 'case' || reference.key !== 'switch' || !reference.memberName) return [];
    const last = resolve(reference, entity, index).referents.at(-1);
    const user = entity.members.get(reference.memberName.value);
    const known = last?.is === 'member' ? switchValues(last.member.member) : undefined;
    if (!user || !known || last?.is !== 'member') return [];
    const { name } = last.member;
    return branchValues(user.node)
      .filter(({ value }) => !known.includes(value))
      .map((node) => unknownValue(node, name, known));
  });
}

function branchValues(member: MapNode): ScalarNode[] {
  const branches = findPair(member, 'case')?.value;
  const list = branches?.kind === 'map' ? findPair(branches, 'when')?.value : undefined;
  const items = list?.kind === 'seq' ? list.items : [];
  return items.flatMap((item) => {
    const value = item?.kind === 'map' ? findPair(item, 'value')?.value : undefined;
    return isWrittenText(value) ? [value] : [];
  });
}

function unknownValue({ value, start, end, style }: ScalarNode, name: string, known: readonly string[]): Problem {
  const guess = nearestName(value, known);
  const hint = guess === undefined ? '' : ` Did you mean \`${guess}\`?`;
  const message = `\`${value}\` is not among the values of \`${name}\`, so that this branch is never chosen.${hint}`;
  const quote = style === 'plain' ? 0 : 1;
  const fix =
    guess === undefined || style === 'block'
      ? undefined
      : { title: `Change to \`${guess}\``, start: start + quote, end: end - quote, text: guess };
  return { code: 'unknown-case-value', start, end, message, fix };
}
