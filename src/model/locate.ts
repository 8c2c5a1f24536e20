import type { ModelFile, Chunk, PlacedChunk } from './file.ts';
import type { Entity } from './syntax/entity.ts';

export interface PlacedEntity {
  readonly entity: Entity;
  readonly chunk: Chunk;
  /** Offset at which the chunk starts in the file: add it to the entity's offsets. */
  readonly start: number;
}

/** Yields the entities of a file in order. */
export function* entitiesOf(file: ModelFile): Iterable<PlacedEntity> {
  for (const { start, chunk } of file.chunks) for (const entity of chunk.entities) yield { entity, chunk, start };
}

/** Returns the chunk that contains an offset of the file. */
export function chunkAt(file: ModelFile, offset: number): PlacedChunk | undefined {
  let low = 0;
  let high = file.chunks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((file.chunks[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const placed = file.chunks[low];
  return placed && placed.start <= offset && offset <= placed.start + placed.chunk.text.length ? placed : undefined;
}

/**
 * Returns the entity that contains an offset of the file, or the preceding one in the same chunk (a half-typed line below it).
 */
export function entityAt(file: ModelFile, offset: number): PlacedEntity | undefined {
  const placed = chunkAt(file, offset);
  if (!placed) return undefined;
  const { chunk, start } = placed;
  let best: Entity | undefined;
  for (const entity of chunk.entities) {
    const from = Math.min(entity.node.start, entity.nameNode?.start ?? Infinity);
    if (start + from <= offset) best = entity;
  }
  return best ? { entity: best, chunk, start } : undefined;
}
