import type { Effective } from './effective.ts';
import type { ModelIndex } from './index.ts';
import type { EntitySymbol } from './symbols.ts';
import type { ViewCubeSymbol } from './view-cube.ts';

/**
 * Returns the members of a cube or view by name, with those that only exist when a script runs: from constants, spreads and
 * functions. They are certain enough to be offered, but not all that there are.
 */
export function membersWhenRun(entity: EntitySymbol, index: ModelIndex): ReadonlyMap<string, Effective> {
  const written = index.membersOf(entity).byName;
  const made = entity.kind === 'view' ? includedWhenRun(entity, index) : madeMembers(entity, index);
  return made.length === 0 ? written : new Map([...made.map((member) => [member.name, member] as const), ...written]);
}

/** How many parents of a cube are searched: a circle of `extends` ends, too. */
const MOST_PARENTS = 10;

function madeMembers(cube: EntitySymbol, index: ModelIndex): readonly Effective[] {
  const made: Effective[] = [];
  let at: EntitySymbol | undefined = cube;
  for (let count = 0; at && count < MOST_PARENTS; count++) {
    for (const run of at.expansions)
      for (const member of run.members.values())
        made.push({ name: member.name, kind: member.kind, member, owner: cube });
    const parent: string | undefined = at.extends?.segments.at(-1)?.text;
    at = parent === undefined ? undefined : index.entity(parent);
  }
  return made;
}

function includedWhenRun(view: EntitySymbol, index: ModelIndex): readonly Effective[] {
  return view.cubes.flatMap((cube) => {
    const name = cube.path?.segments.at(-1)?.text;
    const owner = name === undefined ? undefined : index.entity(name);
    const made = owner && owner.kind === 'cube' ? madeMembers(owner, index) : [];
    return made.flatMap((member) => includedAs(view, cube, member, owner?.name ?? ''));
  });
}

/** Returns a member under the name that a view gives it; nothing if the view does not include it. */
function includedAs(view: EntitySymbol, cube: ViewCubeSymbol, member: Effective, owner: string): readonly Effective[] {
  const { includes, alias, prefix } = cube;
  if (includes === undefined) return [];
  const include = includes === '*' ? undefined : includes.find(({ nameNode }) => nameNode.value === member.name);
  if (includes === '*' ? cube.excludes.some(({ value }) => value === member.name) : !include) return [];
  const name = `${prefix ? `${alias ?? owner}_` : ''}${include?.aliasNode?.value ?? member.name}`;
  return [{ ...member, name, via: { view, cube, include } }];
}
