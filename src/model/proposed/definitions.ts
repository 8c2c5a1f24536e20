import type { Entity } from '../syntax/entity.ts';
import { foldKey } from './names.ts';
import { Unsure } from './unsure.ts';

/** Keys for the source of a cube's or view's data. */
const SOURCES: Readonly<Record<Entity['kind'], readonly string[]>> = {
  cube: ['sql', 'sqltable', 'extends'],
  view: ['cubes', 'includes', 'extends'],
  viewGroup: [],
};

/** Throws {@link Unsure} for an incomplete definition of a new cube or view: the rest is elsewhere. */
export function requireDefinitions(entities: readonly Entity[]): void {
  for (const { kind, node, nameNode } of entities) {
    const keys = node.pairs.map(({ key }) => foldKey(key.value));
    const isDefined = node.open || SOURCES[kind].length === 0 || SOURCES[kind].some((key) => keys.includes(key));
    if (isDefined) continue;
    const name = nameNode?.value ?? '';
    throw new Unsure(`It is only a part of the ${kind} “${name}”, which this file does not define.`);
  }
}
