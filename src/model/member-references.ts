import type { Reference } from './references.ts';
import type { MemberSymbol } from './symbols.ts';

/** The references of an entity by the start of their member's name; they are created again when the entity is. */
const known = new WeakMap<readonly Reference[], ReadonlyMap<number | undefined, readonly Reference[]>>();

/** Returns the references in the definition of a member, in order. */
export function referencesIn({ owner, nameNode }: MemberSymbol): readonly Reference[] {
  const { references } = owner;
  let byMember = known.get(references);
  if (!byMember) {
    byMember = Map.groupBy(references, ({ memberName }) => memberName?.start);
    known.set(references, byMember);
  }
  return byMember.get(nameNode.start) ?? [];
}
