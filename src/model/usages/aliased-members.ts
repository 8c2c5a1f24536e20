import { withoutAliases } from '#model/checks/alias-problems.ts';
import type { ModelIndex } from '#model/index.ts';
import type { MemberSymbol } from '#model/symbols.ts';
import { isUsed } from './usages.ts';

/** A cube that has a member of another one because an alias of YAML stands for its text. */
export interface AliasedMember {
  readonly cube: string;
  readonly anchor: string;
}

/** Returns a cube in which a member is used that it has by an alias; its uses are not known to be uses of the member. */
export function usedByAlias({ name, nameNode, owner }: MemberSymbol, index: ModelIndex): AliasedMember | undefined {
  const file = index.placement(owner.chunk)?.file;
  const anchors = owner.chunk.anchors.filter(
    ({ isAlias, start, end }) => !isAlias && start <= nameNode.start && nameNode.end <= end,
  );
  const [anchor] = anchors.filter(({ name: wanted }) =>
    file?.chunks.some(({ chunk }) => chunk.anchors.some((other) => other.isAlias && other.name === wanted)),
  );
  const expanded = anchor && withoutAliases(index);
  if (!expanded) return undefined;
  for (const entity of expanded.entities()) {
    const member = entity.members.get(name);
    const isInFile = expanded.placement(entity.chunk)?.file.path === file?.path;
    if (!member || !isInFile || index.named(entity.name).some(({ members }) => members.has(name))) continue;
    if (isUsed({ is: 'member', member }, expanded)) return { cube: entity.name, anchor: anchor.name };
  }
  return undefined;
}
