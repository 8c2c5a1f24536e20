import type { MapNode, ScalarNode } from './tree.ts';

export type EntityKind = 'cube' | 'view' | 'viewGroup';

/** A cube, view or view group as it is written; offsets are its part's. */
export interface Entity {
  readonly kind: EntityKind;
  readonly node: MapNode;
  readonly nameNode: ScalarNode | undefined;
}
