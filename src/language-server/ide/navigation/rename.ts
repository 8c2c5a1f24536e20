import { type Range, ResponseError, type TextEdit, type WorkspaceEdit } from 'vscode-languageserver';
import { rename, type RenameEdit, subjectName } from '#model/usages/rename.ts';
import { renameGranularity } from '#model/usages/rename-granularity.ts';
import { baseName } from '#base/path.ts';
import type { Result } from '#base/result.ts';
import type { GranularityAt } from '#model/usages/granularity-names.ts';
import { importedFile } from '#model/imported.ts';
import { type ModelIndex, rangeInFile } from '#model/index.ts';
import { entitiesOf } from '#model/locate.ts';
import type { QueryFile } from '#model/query-files/query-file.ts';
import { renameGranularityInQuery, renameInQuery } from '#model/query-files/rename-in-query.ts';
import { isDynamic } from '#model/syntax/tree.ts';
import type { TextChange } from '#base/text-change.ts';
import type { Subject } from '#model/usages/usages.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened, Workspace } from '#language-server/workspace/workspace.ts';
import { templateWord } from '#language-server/ide/templates/jinja.ts';
import { found, granularityIn } from '#language-server/ide/locations.ts';
import { REQUEST_FAILED } from '#language-server/ide/request-failed.ts';
import { prepareTemplateRename, renameInTemplates } from '#language-server/ide/templates/template-help.ts';

/** Returns the name under the cursor, to be renamed. */
export function prepareRename(
  opened: Opened,
  offset: number,
): { readonly range: Range; readonly placeholder: string } | null {
  const inTemplate = prepareTemplateRename(opened, offset);
  if (inTemplate) return inTemplate;
  if (isComputed(opened, offset)) return null;
  const granularity = granularityIn(opened, offset);
  if (granularity) {
    const { entity, start, end } = granularity;
    const placed = opened.root.index.placement(entity.chunk);
    const range = placed && rangeInFile(placed, start, end);
    const placeholder = granularity.granularity.nameNode.value;
    return range ? { range: rangeOf(opened.positions, range.start, range.end), placeholder } : null;
  }
  const at = found(opened, offset);
  if (!at || at.referent?.is === 'self' || at.referent?.is === 'granularity') return null;
  const name = subjectName(at.subject).trim();
  return isDynamic(name) ? null : { range: at.range, placeholder: name };
}

/** Renames what is under the cursor everywhere; a file that is named after its only entity is renamed, too. */
export function renameAt(
  opened: Opened,
  offset: number,
  name: string,
  workspace: Workspace,
  canRenameFiles: boolean,
): WorkspaceEdit {
  const inTemplates = renameInTemplates(opened, offset, name, workspace);
  if (inTemplates) return inTemplates;
  const granularity = isComputed(opened, offset) ? undefined : granularityIn(opened, offset);
  if (granularity) return renameGranularityAt(granularity, name, opened.root.index, workspace);
  const at = isComputed(opened, offset) ? undefined : found(opened, offset);
  if (!at || at.referent?.is === 'granularity') throw new ResponseError(REQUEST_FAILED, 'Nothing here can be renamed.');
  return renameSubject(at.subject, name, opened.root.index, workspace, canRenameFiles, at.alike);
}

/** Whether a template generates the text at an offset, and its rendering is not known. */
function isComputed({ file, root }: Opened, offset: number): boolean {
  return !root.index.rendering(file.path) && templateWord(file, offset) !== undefined;
}

/** Renames a cube, view or member in its model and in the queries about it. */
export function renameSubject(
  subject: Subject,
  name: string,
  index: ModelIndex,
  workspace: Workspace,
  canRenameFiles: boolean,
  alike: readonly Subject[] = [],
): WorkspaceEdit {
  const changes = editsOf(rename(subject, name, index, alike), index, workspace);
  addTextChanges(changes, index, workspace, (file) =>
    [subject, ...alike].flatMap((each) => renameInQuery(file, each, name, index)),
  );
  const documentChanges = documentChangesOf(changes);
  const moved =
    canRenameFiles && subject.is === 'entity'
      ? movedFile(subject.entity.name, name, index.placement(subject.entity.chunk)?.file, index)
      : undefined;
  if (moved)
    documentChanges.push({ kind: 'rename', oldUri: moved.from, newUri: moved.to, options: { ignoreIfExists: true } });
  return { documentChanges };
}

/** Renames a granularity in its model and in the queries about it. */
function renameGranularityAt(
  { granularity }: GranularityAt,
  name: string,
  index: ModelIndex,
  workspace: Workspace,
): WorkspaceEdit {
  const changes = editsOf(renameGranularity(granularity, name, index), index, workspace);
  addTextChanges(changes, index, workspace, (file) => renameGranularityInQuery(file, granularity, name, index));
  return { documentChanges: documentChangesOf(changes) };
}

type DocumentChanges = NonNullable<WorkspaceEdit['documentChanges']>;

function documentChangesOf(changes: ReadonlyMap<string, TextEdit[]>): DocumentChanges {
  return [...changes].map(([uri, edits]) => ({ textDocument: { uri, version: null }, edits }));
}

/** Returns the edits in the model by file; throws what the client shows if it cannot be renamed. */
function editsOf(
  result: Result<readonly RenameEdit[], string>,
  index: ModelIndex,
  workspace: Workspace,
): Map<string, TextEdit[]> {
  if (!result.ok) throw new ResponseError(REQUEST_FAILED, result.error);
  const changes = new Map<string, TextEdit[]>();
  for (const { entity, start, end, text } of result.value) {
    const placed = index.placement(entity.chunk);
    if (!placed) continue;
    const edits = changes.get(placed.file.path) ?? [];
    const range = rangeInFile(placed, start, end);
    edits.push({ range: rangeOf(workspace.positionsOf(placed.file), range.start, range.end), newText: text });
    changes.set(placed.file.path, edits);
  }
  return changes;
}

function addTextChanges(
  changes: Map<string, TextEdit[]>,
  index: ModelIndex,
  workspace: Workspace,
  editsIn: (file: QueryFile) => readonly TextChange[],
): void {
  for (const { uri, file, positions } of workspace.queries.about(index)) {
    const edits = editsIn(file);
    if (edits.length === 0) continue;
    changes.set(
      uri,
      edits.map(({ start, end, text }) => ({ range: rangeOf(positions, start, end), newText: text })),
    );
  }
}

/**
 * Returns the rename of a file that contains only one entity and has its name: `orders.yml` with `orders` becomes
 * `purchases.yml`.
 */
function movedFile(
  old: string,
  name: string,
  file: Opened['file'] | undefined,
  index: ModelIndex,
): { readonly from: string; readonly to: string } | undefined {
  // Scripts that import the file find it by its name.
  if (!file || [...entitiesOf(file)].length !== 1 || isImported(file, index)) return undefined;
  const base = baseName(file.path);
  const dot = base.indexOf('.');
  if (dot === -1 || base.slice(0, dot) !== old) return undefined;
  return { from: file.path, to: file.path.slice(0, file.path.length - base.length) + name + base.slice(dot) };
}

function isImported(file: Opened['file'], index: ModelIndex): boolean {
  return [...index.files()].some(({ chunks }) =>
    chunks.some(({ chunk }) => chunk.imports.some(({ path }) => importedFile(path, index) === file)),
  );
}
