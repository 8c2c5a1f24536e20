/** One finding of the engine's validator; where alternatives were tried, each of their findings is inside. */
export interface ValidationDetail {
  readonly message: string;
  readonly type: string;
  readonly path: readonly (string | number)[];
  readonly context?: { readonly details?: readonly ValidationDetail[] | undefined } | undefined;
}

/**
 * The finding of a detail that a user can act on. Where alternatives were tried, it is the one that most of them share
 * (a key that none of them knows, a type that none of them has), and of those the deepest.
 */
export function precise(detail: ValidationDetail): string {
  const all = leaves(detail);
  const shared = new Map<string, number>();
  for (const leaf of all) shared.set(identity(leaf), (shared.get(identity(leaf)) ?? 0) + 1);
  const rank = (leaf: ValidationDetail): number => (shared.get(identity(leaf)) ?? 0) * 100 + leaf.path.length;
  const { message, path } = all.reduce((best, leaf) => (rank(leaf) > rank(best) ? leaf : best));
  return message.includes('"') || path.length === 0 ? message : `(${path.join('.')}) ${message}`;
}

function leaves(detail: ValidationDetail): readonly [ValidationDetail, ...ValidationDetail[]] {
  const [first, ...rest] = (detail.context?.details ?? []).flatMap(leaves);
  return first ? [first, ...rest] : [detail];
}

function identity({ path, type }: ValidationDetail): string {
  return JSON.stringify([path, type]);
}
