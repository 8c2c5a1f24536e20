/** One finding of the engine's validator; if it tried alternatives, the findings of each are inside. */
export interface ValidationDetail {
  readonly message: string;
  readonly type: string;
  readonly path: readonly (string | number)[];
  readonly context?: { readonly details?: readonly ValidationDetail[] | undefined } | undefined;
}

/**
 * Returns the finding in a detail that a user can act on. If the validator tried alternatives, this is the finding that most of
 * them share (a key that none of them knows, a type that none of them has), and of those the deepest.
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
