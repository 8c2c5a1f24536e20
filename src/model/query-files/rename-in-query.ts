import { pathEnd } from '../effective.ts';
import type { OwnGranularity } from '../granularities.ts';
import type { ModelIndex } from '../index.ts';
import { nameRange } from '../name-range.ts';
import type { MemberSymbol } from '../symbols.ts';
import { findExactPair, walk } from '../syntax/tree.ts';
import type { TextChange } from '#base/text-change.ts';
import { type Subject, usagesOf } from '#model/usages/usages.ts';
import type { QueryFile } from './query-file.ts';
import { type QueryMember, queryMember } from './query-members.ts';

/**
 * Returns the edits that keep a query file valid when a subject of its model is renamed. `index` is the model before the change.
 */
export function renameInQuery(
  { references }: QueryFile,
  subject: Subject,
  name: string,
  index: ModelIndex,
): readonly TextChange[] {
  const family = subject.is === 'member' ? familyOf(subject, index) : undefined;
  return references.flatMap((reference): readonly TextChange[] => {
    const [cube = '', own = ''] = reference.name.split('.');
    const ownStart = reference.start + cube.length + 1;
    const edits: TextChange[] = [];
    if (subject.is === 'entity' && cube === subject.entity.name)
      edits.push({ start: reference.start, end: reference.start + cube.length, text: name });
    const found = queryMember(reference.name, index);
    const text = found && renamedMember(found, own, subject, name, index, family);
    if (text !== undefined && text !== own) edits.push({ start: ownStart, end: ownStart + own.length, text });
    return edits;
  });
}

/** Returns the edits that keep a query file valid when a granularity of its model is renamed. */
export function renameGranularityInQuery(
  { node, references, text }: Pick<QueryFile, 'node' | 'references' | 'text'>,
  { member, nameNode }: OwnGranularity,
  name: string,
  index: ModelIndex,
): readonly TextChange[] {
  const old = nameNode.value;
  const isOf = (written: string): boolean => queryMember(written, index)?.member.member === member;
  const edits = references.flatMap((reference): readonly TextChange[] => {
    const [cube = '', own = '', granularity] = reference.name.split('.');
    const start = reference.start + cube.length + own.length + 2;
    return granularity === old && isOf(reference.name) ? [{ start, end: start + old.length, text: name }] : [];
  });
  walk(node, (map) => {
    const dimension = map.kind === 'map' ? findExactPair(map, 'dimension')?.value : undefined;
    const value = map.kind === 'map' ? findExactPair(map, 'granularity')?.value : undefined;
    if (dimension?.kind === 'scalar' && value?.kind === 'scalar' && value.value === old && isOf(dimension.value))
      edits.push({ ...nameRange(value, text), text: name });
  });
  return edits;
}

/** Returns the member with its overrides, which are renamed too. */
function familyOf(subject: Subject, index: ModelIndex): ReadonlySet<string> {
  const definitions = usagesOf(subject, index).filter(({ role }) => role === 'definition');
  return new Set(definitions.map(({ entity, text }) => `${entity.name}.${text}`));
}

/** Returns the new name of a member; undefined if it keeps its name. */
function renamedMember(
  { entity, member }: QueryMember,
  own: string,
  subject: Subject,
  name: string,
  index: ModelIndex,
  family: ReadonlySet<string> | undefined,
): string | undefined {
  const { via } = member;
  const alias = via?.include?.aliasNode;
  switch (subject.is) {
    case 'alias':
      // It may be preceded by a prefix.
      return alias === subject.node ? own.slice(0, own.length - alias.value.length) + name : undefined;
    case 'member':
      if (!family?.has(idOf(member.member)) || (alias && entity.kind === 'view')) return undefined;
      return own.slice(0, own.length - subject.member.name.length) + name;
    default: {
      const isPrefixed =
        via?.cube.prefix === true && via.cube.alias === undefined && pathEnd(via.cube, index) === subject.entity;
      return isPrefixed ? name + own.slice(subject.entity.name.length) : undefined;
    }
  }
}

function idOf({ owner, name }: MemberSymbol): string {
  return `${owner.name}.${name}`;
}
