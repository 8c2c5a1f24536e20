import type { ModelFile } from '../file.ts';
import { type ModelIndex, rangeInFile } from '../index.ts';
import { entityAt } from '../locate.ts';
import { type EntitySymbol, symbolsOf } from '../symbols.ts';
import { subjectAt } from '#model/usages/usages.ts';
import type { SourceRange } from './source-map.ts';

type Found = NonNullable<ReturnType<typeof subjectAt>>;

/** The subject of a template text in one of the positions where it is rendered. */
export interface RenderedSubject extends Omit<Found, 'start' | 'end'> {
  /** The range of its name in the template. */
  readonly range: SourceRange;
  readonly in: EntitySymbol;
}

/**
 * Returns the subjects of the text at an offset of a template, one for each time it is rendered; empty if they are unknown, also
 * while the template is newer than its rendering.
 */
export function renderedSubjects(file: ModelFile, offset: number, index: ModelIndex): readonly RenderedSubject[] {
  const rendering = index.rendering(file.path);
  if (!rendering || rendering.source.text !== file.text) return [];
  return rendering.map.renderedOf(offset).flatMap((at): RenderedSubject[] => {
    const placed = entityAt(rendering.file, at);
    const symbol = placed && symbolsOf(placed.chunk).find(({ entity }) => entity === placed.entity);
    const found = symbol && subjectAt(symbol, at - placed.start, index);
    if (!found) return [];
    const { start, end, ...subject } = found;
    const range = rangeInFile({ file, start: placed.start, rendering }, start, end);
    return [{ ...subject, range, in: symbol }];
  });
}
