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
}
