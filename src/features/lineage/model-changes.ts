/** One change of the names that queries and dashboards use. */
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
  /** Deleted under one name, and added under another with the same definition. */
  | { readonly kind: 'renamed'; readonly what: 'member'; readonly name: string; readonly to: string };

/** A reference in the changed model to something that no longer exists. */
export interface BrokenReference {
  /** The cube or view that contains it. */
  readonly owner: string;
  readonly path: string;
  /** The name that it refers to. */
  readonly names: string;
  /** The key that contains it: `joins`, `includes`, `measures` … */
  readonly key: string;
}

export interface ModelImpact {
  readonly changes: readonly ModelChange[];
  readonly broken: readonly BrokenReference[];
  /** Whether the model is partly generated when it runs: what only that code defines or uses is not included. */
  readonly incomplete: boolean;
}

/** The texts of a model's files by path. */
export type ModelTexts = ReadonlyMap<string, string>;

/** Returns the names that users of the model can no longer use: `orders.total`, and whole cubes and views as `orders.`. */
export function goneNames(impact: ModelImpact): readonly string[] {
  return impact.changes.flatMap((change) => {
    if (change.kind === 'renamed') return [change.name];
    if (change.kind !== 'removed') return [];
    return [change.what === 'member' ? change.name : `${change.name}.`];
  });
}

/** Describes a change in one line. */
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
