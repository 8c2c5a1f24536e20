import type { Location, Range } from 'vscode-languageserver';
import { entityAt } from '#model/locate.ts';
import { type ModelIndex, rangeInFile } from '#model/index.ts';
import { type EntitySymbol, symbolsOf } from '#model/symbols.ts';
import { renderedSubjects } from '#model/templates/rendered-subjects.ts';
import { type Subject, subjectAt } from '#model/usages.ts';
import type { Part } from '#model/file.ts';
import { rangeOf } from '../lines.ts';
import type { Opened, Workspace } from '../workspace.ts';

/** A range of a part as a place in a file. */
export function locationOf(
  workspace: Workspace,
  index: ModelIndex,
  part: Part,
  start: number,
  end: number,
): Location | undefined {
  const placed = index.placement(part);
  if (!placed) return undefined;
  const range = rangeInFile(placed, start, end);
  return { uri: placed.file.path, range: rangeOf(workspace.positionsOf(placed.file), range.start, range.end) };
}

/** The symbols of the entity at an offset, with where its part starts. */
export function symbolAt(
  { file }: Opened,
  offset: number,
): { readonly symbol: EntitySymbol; readonly start: number } | undefined {
  const at = entityAt(file, offset);
  const symbol = at && symbolsOf(at.part).find(({ entity }) => entity === at.entity);
  return at && symbol ? { symbol, start: at.start } : undefined;
}

type SubjectAt = NonNullable<ReturnType<typeof subjectAt>>;

/** What the name under the cursor stands for, with the range of that name in the file. */
export interface FoundSubject extends Pick<SubjectAt, 'subject' | 'meaning'> {
  readonly range: Range;
  readonly in: EntitySymbol;
  /** What the same text of a template stands for as well, because it comes out several times. */
  readonly alike: readonly Subject[];
}

/** What the name under the cursor stands for. */
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

/** Whether other YAML servers get our schema for a file, by the manifest's `yamlValidation`. */
export function hasSchema({ uri }: Opened): boolean {
  return /\/model\/.*\.ya?ml$/.test(uri);
}

/** A path as it is shown: from the folder of the model. */
export function pathInModel(path: string, { root }: Opened): string {
  return path.startsWith(`${root.uri}/`) ? path.slice(root.uri.length + 1) : path;
}
