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

/**
 * Returns a range of a file's text. For each version of a long text that is being edited, engines copy all of it before they return
 * a piece of it; this reads the chunks instead, where their texts are those of the file.
 */
export function textIn(file: ModelFile, start: number, end: number): string {
  if (!file.verbatim || file.chunks.length === 0) return file.text.slice(start, end);
  const pieces: string[] = [];
  for (let index = chunkIndex(file, start); index < file.chunks.length; index++) {
    const placed = file.chunks[index];
    if (!placed || placed.start - placed.lead.length >= end) break;
    pieces.push(between(placed.lead, placed.start - placed.lead.length, start, end));
    pieces.push(between(placed.chunk.text, placed.start, start, end));
  }
  return pieces.join('');
}

/** Returns what a text, which begins at an offset, has of a range. */
function between(text: string, from: number, start: number, end: number): string {
  return text.slice(Math.max(0, start - from), Math.max(0, end - from));
}

/** Returns the chunk that contains an offset of the file. */
export function chunkAt(file: ModelFile, offset: number): PlacedChunk | undefined {
  const placed = file.chunks[chunkIndex(file, offset)];
  return placed && placed.start <= offset && offset <= placed.start + placed.chunk.text.length ? placed : undefined;
}

/** Returns the index of the last chunk that starts at or before an offset; 0 if there is none. */
function chunkIndex(file: ModelFile, offset: number): number {
  let low = 0;
  let high = file.chunks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((file.chunks[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
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
