import type { MapNode, ScalarNode } from './tree.ts';

export type EntityKind = 'cube' | 'view' | 'viewGroup';

/** What defines something in a script, by the name of the function. */
export const CALLS: Readonly<Record<string, EntityKind>> = { cube: 'cube', view: 'view', view_group: 'viewGroup' };

/** A cube, view or view group as it is written; offsets are its chunk's. */
export interface Entity {
  readonly kind: EntityKind;
  readonly node: MapNode;
  readonly nameNode: ScalarNode | undefined;
  /** It may or may not be defined, or several times: it stands in a branch, a loop or a function of a script. */
  readonly conditional: boolean;
  /** A constant of a script holds what it is. */
  readonly isElsewhere?: boolean | undefined;
}
