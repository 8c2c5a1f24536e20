import type { ComputedKeys } from './computed-keys.ts';
import type { MapNode, ScalarNode } from './tree.ts';

export type EntityKind = 'cube' | 'view' | 'viewGroup';

/** The kinds of entities that a script defines, by the name of the function. */
export const CALLS: Readonly<Record<string, EntityKind>> = { cube: 'cube', view: 'view', view_group: 'viewGroup' };

/** A cube, view or view group as written; offsets are its chunk's. */
export interface Entity {
  readonly kind: EntityKind;
  readonly node: MapNode;
  readonly nameNode: ScalarNode | undefined;
  /** Whether it may be defined any number of times: it is in a branch, a loop or a function of a script. */
  readonly conditional: boolean;
  /** Whether a constant of a script holds its definition. */
  readonly isElsewhere?: boolean | undefined;
  /** Set if a script passes a text or a list in place of its definition. */
  readonly isNoObject?: boolean | undefined;
  /** Set if a script passes a value that is not a text in place of its name: that value. */
  readonly notAName?: { readonly start: number; readonly end: number } | undefined;
  /**
   * What it is each time that the script runs it, with constants, spreads and the results of functions in their places; absent if it
   * is written out, or if that is not known. Nodes have the offsets of the code that they come from.
   */
  readonly expansions?: readonly Entity[] | undefined;
  /** Whether the script runs it no more often than that. */
  readonly hasAllExpansions?: boolean | undefined;
  /** Names that it may have besides, each any number of times, with `FILLER` in place of what is not known. */
  readonly possibleNames?: readonly string[] | undefined;
  /** Whether the script itself never runs it: it is in a function that only other files call. */
  readonly isForOthers?: boolean | undefined;
  /** Only for such an expansion: whether its name is a text in that call. */
  readonly isNameWritten?: boolean | undefined;
  /** Only for such an expansion: the names that code in brackets of its SQL yields, `CUBE[name]`. */
  readonly computedKeys?: ComputedKeys | undefined;
  /** Only for such an expansion: the range of the call that makes it. */
  readonly written?: { readonly start: number; readonly end: number } | undefined;
}
