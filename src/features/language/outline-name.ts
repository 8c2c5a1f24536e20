/** An entry of a file's outline, as VS Code returns it to extensions. */
export interface OutlineEntry {
  readonly name: string;
  /** A symbol kind of VS Code. */
  readonly kind: number;
  readonly children: readonly this[];
}

/** The symbol kinds of what can be queried: cubes and views, and of members those that queries can name. */
export interface QueriedKinds {
  readonly entities: readonly number[];
  readonly members: readonly number[];
}

/**
 * Returns the cube, view or member (`orders`, `orders.count`) of an outline that contains a position; the cube or view if the
 * position is in none of its members that can be queried. Other extensions may have added entries of their own.
 */
export function outlineName<Entry extends OutlineEntry>(
  outline: readonly Entry[],
  kinds: QueriedKinds,
  holds: (entry: Entry) => boolean,
): string | undefined {
  const entity = outline.find((entry) => kinds.entities.includes(entry.kind) && holds(entry));
  if (!entity) return undefined;
  const member = entity.children.find((entry) => kinds.members.includes(entry.kind) && holds(entry));
  return member ? `${entity.name}.${member.name}` : entity.name;
}

/** Returns the cube, view or member of an outline whose own name is at a position, as `isNamed` determines. */
export function outlineNameAt<Entry extends OutlineEntry>(
  outline: readonly Entry[],
  { entities, members }: QueriedKinds,
  isNamed: (entry: Entry) => boolean,
): string | undefined {
  for (const entity of outline) {
    if (!entities.includes(entity.kind)) continue;
    if (isNamed(entity)) return entity.name;
    const member = entity.children.find((entry) => members.includes(entry.kind) && isNamed(entry));
    if (member) return `${entity.name}.${member.name}`;
  }
  return undefined;
}
