import type { ModelFile, Part, PlacedPart } from './file.ts';
import type { Entity } from './syntax/entity.ts';

export interface PlacedEntity {
  readonly entity: Entity;
  readonly part: Part;
  /** Where the part starts in the file: add it to the entity's offsets. */
  readonly start: number;
}

/** The entities of a file in order. */
export function* entitiesOf(file: ModelFile): Iterable<PlacedEntity> {
  for (const { start, part } of file.parts) for (const entity of part.entities) yield { entity, part, start };
}

/** The part that holds an offset of the file. */
export function partAt(file: ModelFile, offset: number): PlacedPart | undefined {
  let low = 0;
  let high = file.parts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((file.parts[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const placed = file.parts[low];
  return placed && placed.start <= offset && offset <= placed.start + placed.part.text.length ? placed : undefined;
}

/** The entity that holds an offset of the file, or the one before it in the same part (a half-typed line below it). */
export function entityAt(file: ModelFile, offset: number): PlacedEntity | undefined {
  const placed = partAt(file, offset);
  if (!placed) return undefined;
  const { part, start } = placed;
  let best: Entity | undefined;
  for (const entity of part.entities) {
    const from = Math.min(entity.node.start, entity.nameNode?.start ?? Infinity);
    if (start + from <= offset) best = entity;
  }
  return best ? { entity: best, part, start } : undefined;
}
