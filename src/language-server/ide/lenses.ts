import { plural } from '#base/words.ts';
import type { CodeLens } from 'vscode-languageserver';
import type { ModelIndex } from '#model/index.ts';
import { type EntitySymbol, symbolsOf } from '#model/symbols.ts';
import { isUsed, mentionedMembers, type Subject, usagesOf } from '#model/usages/usages.ts';
import { lensCommands, type LanguageSettings, type MemberTarget } from '#features/language/messages.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';

/** The data from which a lens is resolved: everything needed to find its subject again. */
export interface LensData {
  readonly uri: string;
  readonly entity: string;
  readonly member?: string;
}

type LensSettings = Pick<LanguageSettings, 'preview' | 'compiledSql' | 'lensForUnused'>;

/** In a file with more members, uses are not counted member by member. */
const COUNTED = 400;

/**
 * Returns lenses above cubes and views, and above measures and dimensions: uses (if there are any), preview, query, compiled SQL.
 */
export function codeLenses(opened: Opened, settings: LensSettings): CodeLens[] {
  const { file, root, positions } = opened;
  const entities = file.chunks.flatMap(({ chunk, start }) => symbolsOf(chunk).map((entity) => ({ entity, start })));
  const isLarge = entities.reduce((sum, { entity }) => sum + entity.members.size, 0) > COUNTED;
  return entities.flatMap(({ entity, start }) => {
    if (!entity.nameNode || entity.kind === 'viewGroup' || entity.dynamic) return [];
    const uses = settings.lensForUnused ? () => true : usesOf(entity, root.index, isLarge);
    const at = (node: { readonly start: number; readonly end: number }): CodeLens['range'] =>
      rangeOf(positions, start + node.start, start + node.end);
    const members = [...entity.members.values()].filter(
      ({ kind, name }) => (kind === 'measure' || kind === 'dimension') && uses(name),
    );
    return [
      ...(uses(undefined) ? [countLens(at(entity.nameNode), { uri: opened.uri, entity: entity.name })] : []),
      ...commandLenses(at(entity.nameNode), { uri: opened.uri, kind: entity.kind, name: entity.name }, settings),
      ...members.map(({ nameNode, name }) =>
        countLens(at(nameNode), { uri: opened.uri, entity: entity.name, member: name }),
      ),
    ];
  });
}

/** Returns a test whether a member of an entity, or without a name the entity itself, is used. */
function usesOf(entity: EntitySymbol, index: ModelIndex, isLarge: boolean): (name: string | undefined) => boolean {
  const isMentioned = isLarge ? mentionedMembers(entity, index) : undefined;
  return (name) => {
    const member = name === undefined ? undefined : entity.members.get(name);
    if (!member) return isUsed({ is: 'entity', entity }, index);
    return isMentioned?.(member.name) ?? isUsed({ is: 'member', member }, index);
  };
}

function countLens(range: CodeLens['range'], data: LensData): CodeLens {
  return { range, data };
}

function commandLenses(
  range: CodeLens['range'],
  target: MemberTarget,
  { preview, compiledSql }: LensSettings,
): CodeLens[] {
  const lens = (title: string, command: string): CodeLens => ({
    range,
    command: { title, command, arguments: [target] },
  });
  return [
    ...(preview
      ? [lens('Preview Data', lensCommands.previewMember), lens('Query This', lensCommands.queryMember)]
      : []),
    ...(compiledSql ? [lens('Compiled SQL', lensCommands.showCompiledSql)] : []),
  ];
}

/** Counts the uses when the lens becomes visible. `canShow`: whether the client has the command that shows them. */
export function resolveLens(lens: CodeLens, index: ModelIndex, canShow: boolean): CodeLens {
  const data = lens.data as LensData;
  const entity = index.entity(data.entity);
  const member = data.member === undefined ? undefined : entity?.members.get(data.member);
  const subject: Subject | undefined = member
    ? { is: 'member', member }
    : entity
      ? { is: 'entity', entity }
      : undefined;
  const count = subject ? usagesOf(subject, index).filter(({ role }) => role !== 'definition').length : 0;
  const title = plural(count, 'use');
  return {
    range: lens.range,
    command: {
      title,
      command: count === 0 || !canShow ? '' : lensCommands.showReferences,
      arguments: [data.uri, lens.range.start],
    },
  };
}
