/** One change of the model's own vocabulary, as queries and dashboards know it. */
export type ModelChange =
  | { readonly kind: 'added' | 'removed'; readonly what: 'cube' | 'view'; readonly name: string }
  | { readonly kind: 'added' | 'removed'; readonly what: 'member'; readonly name: string; readonly type: string }
  | {
      readonly kind: 'retyped';
      readonly what: 'member';
      readonly name: string;
      readonly from: string;
      readonly to: string;
    }
  /** Gone under one name, there under another with the same definition. */
  | { readonly kind: 'renamed'; readonly what: 'member'; readonly name: string; readonly to: string };

/** A place of the changed model that names something which is gone. */
export interface BrokenReference {
  /** The cube or view it stands in. */
  readonly owner: string;
  readonly path: string;
  /** What it names. */
  readonly names: string;
  /** The key that holds it: `joins`, `includes`, `measures` … */
  readonly key: string;
}

export interface ModelImpact {
  readonly changes: readonly ModelChange[];
  readonly broken: readonly BrokenReference[];
  /** Parts of a model are computed when it runs: what only they have or use is not seen. */
  readonly incomplete: boolean;
}

/** A model as its files' texts by path. */
export type ModelTexts = ReadonlyMap<string, string>;

/** Names that no longer exist for those who use them: `orders.total`, and whole cubes and views as `orders.`. */
export function goneNames(impact: ModelImpact): readonly string[] {
  return impact.changes.flatMap((change) => {
    if (change.kind === 'renamed') return [change.name];
    if (change.kind !== 'removed') return [];
    return [change.what === 'member' ? change.name : `${change.name}.`];
  });
}

/** One line for a change. */
export function changeLine(change: ModelChange): string {
  switch (change.kind) {
    case 'renamed':
      return `renamed ${change.name} → ${change.to}`;
    case 'retyped':
      return `retyped ${change.name}: ${change.from} → ${change.to}`;
    default:
      return change.what === 'member'
        ? `${change.kind} ${change.type} ${change.name}`
        : `${change.kind} ${change.what} ${change.name}`;
  }
}
