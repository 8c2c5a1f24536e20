import { type Hover, type LocationLink, MarkupKind, type Range, ResponseError } from 'vscode-languageserver';
import type { WorkspaceEdit } from 'vscode-languageserver';
import type { ModelIndex } from '#model/index.ts';
import { type QueryMember, queryMember, querySubject } from '#model/query-files/query-members.ts';
import { subjectName } from '#model/usages/rename.ts';
import type { Subject } from '#model/usages/usages.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { OpenedQuery } from '#language-server/workspace/query-files.ts';
import type { Workspace } from '#language-server/workspace/workspace.ts';
import { subjectText } from '#language-server/ide/hover.ts';
import { definitionOf } from '#language-server/ide/navigation/navigation.ts';
import { queryWordHover } from './query-word-hover.ts';
import { renameSubject } from '#language-server/ide/navigation/rename.ts';
import { REQUEST_FAILED } from '#language-server/ide/request-failed.ts';

interface FoundName {
  readonly subject: Subject;
  readonly range: Range;
  readonly index: ModelIndex;
  readonly member: QueryMember;
}

/** Describes the cube or member under the cursor, or else the key or operator. */
export function queryHover(opened: OpenedQuery, offset: number): Hover | null {
  const at = nameAt(opened, offset);
  if (!at) return queryWordHover(opened, offset);
  const value = subjectText(at.subject, at.member.entity, at.index).replaceAll('![', '! [');
  return { contents: { kind: MarkupKind.Markdown, value }, range: at.range };
}

/** Returns the definition of the cube or member under the cursor. */
export function queryDefinition(opened: OpenedQuery, offset: number, workspace: Workspace): LocationLink[] {
  const at = nameAt(opened, offset);
  return at ? definitionOf(at.subject, at.range, at.index, workspace) : [];
}

/** Returns the cube or member under the cursor, to be renamed. */
export function prepareQueryRename(
  opened: OpenedQuery,
  offset: number,
): { readonly range: Range; readonly placeholder: string } | null {
  const at = nameAt(opened, offset);
  return at ? { range: at.range, placeholder: subjectName(at.subject) } : null;
}

/** Renames what is under the cursor in its model and in every query about it. */
export function renameInModel(
  opened: OpenedQuery,
  offset: number,
  name: string,
  workspace: Workspace,
  canRenameFiles: boolean,
): WorkspaceEdit {
  const at = nameAt(opened, offset);
  if (!at) throw new ResponseError(REQUEST_FAILED, 'Nothing here can be renamed.');
  return renameSubject(at.subject, name, at.index, workspace, canRenameFiles);
}

function nameAt({ file, root, positions }: OpenedQuery, offset: number): FoundName | undefined {
  const reference = file.references.find(({ name, start }) => start <= offset && offset <= start + name.length);
  const member = reference && root && queryMember(reference.name, root.index);
  if (!member) return undefined;
  const [cube = '', own = ''] = reference.name.split('.');
  const ownStart = reference.start + cube.length + 1;
  const isCube = offset < ownStart;
  const start = isCube ? reference.start : ownStart;
  return {
    subject: isCube ? { is: 'entity', entity: member.entity } : querySubject(member),
    range: rangeOf(positions, start, start + (isCube ? cube : own).length),
    index: root.index,
    member,
  };
}
