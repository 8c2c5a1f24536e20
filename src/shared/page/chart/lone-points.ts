interface Item {
  readonly defined?: boolean;
  readonly marktype?: string;
  readonly items?: readonly Item[];
}

const paths = new Set(['line', 'area']);

/**
 * Whether a line or an area has a value without a neighbour: the only row of a series, or one between two that are missing. A path
 * of one point has no length, so only a mark of its own shows it.
 */
export function hasLonePoint(scenegraph: unknown): boolean {
  return isLoneIn((scenegraph as { readonly root: Item }).root);
}

function isLoneIn({ marktype, items = [] }: Item): boolean {
  if (paths.has(marktype ?? '')) return items.some((item, at) => isLone(items[at - 1], item, items[at + 1]));
  return items.some((item) => isLoneIn(item));
}

const isThere = (item: Item | undefined): boolean => item !== undefined && item.defined !== false;

function isLone(before: Item | undefined, item: Item, after: Item | undefined): boolean {
  return isThere(item) && !isThere(before) && !isThere(after);
}

/** The configuration that marks each value of lines and areas with a point that is hardly wider than the line. */
export const pointsOnPaths = {
  line: { point: { filled: true, size: 25 } },
  area: { point: { filled: true, size: 25 } },
} as const;
