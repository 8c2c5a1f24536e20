import type { ModelIndex } from '#model/index.ts';
import type { EntitySymbol, MemberSymbol } from '#model/symbols.ts';
import type { WrittenMember } from '#model/written-member.ts';

/** Returns the public members of the cubes and views of a model as it is written, including unsaved changes. */
export function writtenMembers(index: ModelIndex): readonly WrittenMember[] {
  return index.entities().flatMap((entity) => {
    if (entity.kind === 'viewGroup' || entity.dynamic || isHidden(entity)) return [];
    return [...index.membersOf(entity).byName].flatMap(([name, { member }]) => {
      const kind = kindOf(member);
      return kind === undefined || isHidden(member) ? [] : [{ name: `${entity.name}.${name}`, kind }];
    });
  });
}

function kindOf(member: MemberSymbol): WrittenMember['kind'] | undefined {
  const { kind } = member;
  if (kind === 'hierarchy' || kind === 'preAggregation') return undefined;
  return kind === 'dimension' && member.text('type') === 'time' ? 'time' : kind;
}

/** Whether queries cannot name it; a primary key is hidden unless it says otherwise. */
function isHidden(symbol: EntitySymbol | MemberSymbol): boolean {
  const shown = symbol.text('public', 'shown');
  return shown === 'false' || (shown !== 'true' && symbol.text('primary_key', 'primaryKey') === 'true');
}
