import { pathInside } from '#base/path.ts';
import type { Location, Range } from 'vscode-languageserver';
import { entityAt } from '#model/locate.ts';
import { type GranularityAt, granularityAt } from '#model/usages/granularity-names.ts';
import { type ModelIndex, rangeInFile } from '#model/index.ts';
import { type EntitySymbol, symbolsOf } from '#model/symbols.ts';
import { renderedSubjects } from '#model/templates/rendered-subjects.ts';
import { type Subject, subjectAt } from '#model/usages/usages.ts';
import type { Chunk } from '#model/file.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened, Workspace } from '#language-server/workspace/workspace.ts';

/** Converts a range of a chunk to a location in a file. */
export function locationOf(
  workspace: Workspace,
  index: ModelIndex,
  chunk: Chunk,
  start: number,
  end: number,
): Location | undefined {
  const placed = index.placement(chunk);
  if (!placed) return undefined;
  const range = rangeInFile(placed, start, end);
  return { uri: placed.file.path, range: rangeOf(workspace.positionsOf(placed.file), range.start, range.end) };
}

/** Returns the symbols of the entity at an offset, with the start of its chunk. */
export function symbolAt(
  { file }: Opened,
  offset: number,
): { readonly symbol: EntitySymbol; readonly start: number } | undefined {
  const at = entityAt(file, offset);
  const symbol = at && symbolsOf(at.chunk).find(({ entity }) => entity === at.entity);
  return at && symbol ? { symbol, start: at.start } : undefined;
}

type SubjectAt = NonNullable<ReturnType<typeof subjectAt>>;

/** The subject that the name under the cursor stands for, with the range of that name in the file. */
export interface FoundSubject extends Pick<SubjectAt, 'subject' | 'referent'> {
  readonly range: Range;
  readonly in: EntitySymbol;
  /** Further subjects of the same template text, because it is rendered several times. */
  readonly alike: readonly Subject[];
}

/** Returns the subject that the name under the cursor stands for. */
export function found(opened: Opened, offset: number): FoundSubject | undefined {
  const [first, ...more] = renderedSubjects(opened.file, offset, opened.root.index);
  if (!first) return writtenSubject(opened, offset);
  const range = rangeOf(opened.positions, first.range.start, first.range.end);
  return { ...first, range, alike: more.map(({ subject }) => subject) };
}

function writtenSubject(opened: Opened, offset: number): FoundSubject | undefined {
  const at = symbolAt(opened, offset);
  const subject = at && subjectAt(at.symbol, offset - at.start, opened.root.index);
  return (
    subject && {
      ...subject,
      range: rangeOf(opened.positions, at.start + subject.start, at.start + subject.end),
      in: at.symbol,
      alike: [],
    }
  );
}

/** Returns the granularity whose name is at an offset of a file, if a time dimension of the model defines it. */
export function granularityIn(opened: Opened, offset: number): GranularityAt | undefined {
  const at = symbolAt(opened, offset);
  return at && granularityAt(at.symbol, offset - at.start, opened.root.index);
}

/** Whether other YAML servers use our schema for a file, according to the manifest's `yamlValidation`. */
export function hasSchema({ uri }: Opened): boolean {
  return /\/model\/.*\.ya?ml$/.test(uri);
}

/** Returns a path relative to the folder of the model, for display. */
export function pathInModel(path: string, { root }: Opened): string {
  return pathInside(path, root.uri) ?? path;
}
