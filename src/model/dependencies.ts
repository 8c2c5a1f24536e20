import { unreachable } from '#base/result.ts';
import { type EntitySymbol } from './symbols.ts';
import { resolve } from './resolve.ts';
import type { ModelIndex } from './index.ts';
import type { Reference } from './references.ts';

/** The names that each name of a model is made of: `orders.average` → `orders.total`, `orders.count`. */
export type Dependencies = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns the names in the definition of every cube, view and member of a model. A view's member depends on the member that it
 * shows. Names that exist only when the model runs are not included.
 */
export function dependenciesOf(index: ModelIndex): Dependencies {
  const found = new Map<string, Set<string>>();
  const add = (from: string, to: string): void => {
    if (from === to) return;
    const known = found.get(from);
    if (known) known.add(to);
    else found.set(from, new Set([to]));
  };
  for (const entity of index.entities()) {
    for (const reference of entity.references) {
      const to = meant(reference, entity, index);
      if (to !== undefined) add(holderOf(reference, entity), to);
    }
    if (entity.kind !== 'view') continue;
    for (const { name, owner, member, via } of index.membersOf(entity).byName.values())
      if (via) add(`${entity.name}.${name}`, `${owner.name}.${member.name}`);
  }
  return found;
}

/** Returns every name that can be reached from one, including itself. */
export function reachableFrom(name: string, steps: Dependencies): ReadonlySet<string> {
  const seen = new Set([name]);
  for (const at of seen) for (const next of steps.get(at) ?? []) seen.add(next);
  return seen;
}

/** Reverses the dependencies: returns what uses each name. */
export function reversed(steps: Dependencies): Dependencies {
  const back = new Map<string, Set<string>>();
  for (const [from, targets] of steps) {
    for (const to of targets) {
      const known = back.get(to);
      if (known) known.add(from);
      else back.set(to, new Set([from]));
    }
  }
  return back;
}

/** Returns the member that contains a reference, or else the cube or view. */
function holderOf({ memberName }: Reference, entity: EntitySymbol): string {
  const isMember = memberName !== undefined && entity.members.get(memberName.value)?.nameNode === memberName;
  return isMember ? `${entity.name}.${memberName.value}` : entity.name;
}

function meant(reference: Reference, entity: EntitySymbol, index: ModelIndex): string | undefined {
  const { referents } = resolve(reference, entity, index);
  const last = referents.findLast(({ is }) => is !== 'context');
  switch (last?.is) {
    case 'member':
      return `${last.entity.name}.${last.member.name}`;
    case 'granularity':
      return `${last.of.owner.name}.${last.of.name}`;
    case 'entity':
      return last.entity.name;
    // A cube's reference to itself adds nothing to its lineage.
    case 'self':
    case 'context':
    case undefined:
      return undefined;
    default:
      return unreachable(last);
  }
}
