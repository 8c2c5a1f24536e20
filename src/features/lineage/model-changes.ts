import { plural } from '#base/words.ts';

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
  | { readonly kind: 'renamed'; readonly what: 'member'; readonly name: string; readonly to: string }
  /** The same name, defined or shown differently. */
  | {
      readonly kind: 'redefined';
      readonly what: 'cube' | 'view' | 'member';
      readonly name: string;
      /** `cube`, `measure sum`. */
      readonly type: string;
      /** What changes what queries return or who sees it: `sql`, `joins.users.relationship`. */
      readonly keys: readonly string[];
      /** What only changes how it is shown: `title`. */
      readonly presentation: readonly string[];
      /** Names that depend on it and so change with it. */
      readonly affects: readonly string[];
    };

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

/** A query file that uses changed names. */
export interface QueryUse {
  readonly path: string;
  /** The number of its tests. */
  readonly tests: number;
  readonly names: readonly string[];
}

export interface ModelImpact {
  readonly changes: readonly ModelChange[];
  readonly broken: readonly BrokenReference[];
  /** Query files, among the texts that were compared, that use a lost, retyped or redefined name or one that depends on it. */
  readonly queries: readonly QueryUse[];
  /** Whether the model is partly generated when it runs: what only that code defines or uses is not included. */
  readonly incomplete: boolean;
}

/** The texts of a model's files by path. */
export type ModelTexts = ReadonlyMap<string, string>;

/** Returns the names that users of the model can no longer use: `orders.total`, and whole cubes and views as `orders.`. */
export function goneNames(impact: Pick<ModelImpact, 'changes'>): readonly string[] {
  return impact.changes.flatMap((change) => {
    if (change.kind === 'renamed') return [change.name];
    if (change.kind !== 'removed') return [];
    return [change.what === 'member' ? change.name : `${change.name}.`];
  });
}

/** Returns the names whose results may be other ones than before, and not only shown differently. */
export function otherResults(impact: Pick<ModelImpact, 'changes'>): readonly string[] {
  const names = impact.changes.flatMap((change) => {
    if (change.kind !== 'redefined' || change.keys.length === 0) return [];
    return change.what === 'member' ? [change.name, ...change.affects] : change.affects;
  });
  return [...new Set(names)];
}

/** Whether a name that queries use is gone or means something of another type. */
export function isLoss({ kind }: ModelChange): boolean {
  return kind === 'removed' || kind === 'renamed' || kind === 'retyped';
}

/** Describes a change in one line. */
export function changeLine(change: ModelChange): string {
  switch (change.kind) {
    case 'redefined':
      return redefinedLine(change);
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

/** Describes a change in one line, with what changes with it. */
export function wholeLine(change: ModelChange): string {
  return `${changeLine(change)}${change.kind === 'redefined' ? affectsText(change.affects) : ''}`;
}

/** Describes a query file that uses changed names in one line. */
export function queryLine({ path, tests, names }: QueryUse): string {
  const own = tests === 0 ? '' : ` (${plural(tests, 'test')})`;
  return `${path}${own} uses ${names.join(', ')}`;
}

function redefinedLine({ type, name, keys, presentation }: Extract<ModelChange, { kind: 'redefined' }>): string {
  if (keys.length === 0) return `presentation of ${type} ${name}: ${presentation.join(', ')}`;
  const shown = presentation.length === 0 ? '' : ` (presentation: ${presentation.join(', ')})`;
  return `redefined ${type} ${name}: ${keys.join(', ')}${shown}`;
}

/** The most names in a text; more are only counted. */
const mostNamed = 5;

/** Returns a text such as ` (affects a.b, c.d and 3 more)`; empty if nothing is affected. */
export function affectsText(affects: readonly string[]): string {
  if (affects.length === 0) return '';
  const more = affects.length > mostNamed ? ` and ${affects.length - mostNamed} more` : '';
  return ` (affects ${affects.slice(0, mostNamed).join(', ')}${more})`;
}
