import type { Effective } from '../effective.ts';
import { granularitiesOf } from '../granularities.ts';
import type { ModelIndex } from '../index.ts';
import { nearestName } from '../suggest.ts';
import type { EntitySymbol } from '../symbols.ts';
import { aliasOf, type Subject } from '#model/usages/usages.ts';
import type { QueryMemberKind } from './shapes.ts';

/** The member that a name in a query refers to. */
export interface QueryMember {
  readonly entity: EntitySymbol;
  readonly member: Effective;
  readonly kind: QueryMemberKind;
}

/** Returns the member that a name in a query refers to, ignoring a granularity after it. */
export function queryMember(name: string, index: ModelIndex): QueryMember | undefined {
  const [cube = '', own = ''] = name.split('.');
  const entity = index.entity(cube);
  const member = entity && index.member(entity, own);
  const kind = member && queryKind(member);
  return entity && member && kind ? { entity, member, kind } : undefined;
}

/** Returns the role of a member in a query; undefined for hierarchies and pre-aggregations. */
function queryKind({ kind, member }: Effective): QueryMemberKind | undefined {
  if (kind === 'dimension') return member.text('type') === 'time' ? 'time' : 'dimension';
  return kind === 'measure' || kind === 'segment' ? kind : undefined;
}

/** Returns the subject of a rename of the member: the name that a view gives it, or else its own. */
export function querySubject({ entity, member }: QueryMember): Subject {
  const alias = entity.kind === 'view' ? aliasOf(member) : undefined;
  if (alias) return alias;
  return { is: 'member', member: member.member };
}

/** Returns the names that a query may use where these kinds are expected. */
export function queryNames(kinds: readonly QueryMemberKind[], index: ModelIndex): readonly QueryMember[] {
  return index
    .entities()
    .filter(({ kind, dynamic, name }) => kind !== 'viewGroup' && !dynamic && name !== '')
    .flatMap((entity) =>
      [...index.membersOf(entity).byName.values()].flatMap((member) => {
        const kind = queryKind(member);
        return kind && kinds.includes(kind) ? [{ entity, member, kind }] : [];
      }),
    );
}

/** Returns a member's name as queries write it. */
export function writtenName({ entity, member }: QueryMember): string {
  return `${entity.name}.${member.name}`;
}

/** Describes what is wrong with a name in a query; returns undefined if it may be right. */
export function nameProblem(
  name: string,
  kinds: readonly QueryMemberKind[],
  isColumn: boolean,
  index: ModelIndex,
): string | undefined {
  const [cube = '', own, granularity, ...rest] = name.split('.');
  if (own === undefined || own === '' || rest.length > 0 || (granularity !== undefined && !isColumn))
    return `Write a member as cube.member, for example ${exampleOf(kinds, index)}.`;
  const found = queryMember(name, index);
  if (!found) return isMissing(cube, own, index) ? missing(name, kinds, index) : undefined;
  if (!kinds.includes(found.kind)) {
    const noun = found.kind === 'time' ? 'time dimension' : found.kind;
    return `“${cube}.${own}” is a ${noun} and cannot be used here.`;
  }
  if (granularity === undefined || granularitiesOf(found.member.member).includes(granularity)) return undefined;
  return `“${cube}.${own}” has no granularity “${granularity}”.`;
}

function exampleOf(kinds: readonly QueryMemberKind[], index: ModelIndex): string {
  const [first] = queryNames(kinds, index);
  return first ? writtenName(first) : 'orders.count';
}

/** Checks whether a name is certainly missing, because nothing defined at run time could have it. */
function isMissing(cube: string, own: string, index: ModelIndex): boolean {
  const entity = index.entity(cube);
  if (!entity) return !index.dynamic;
  return !index.membersOf(entity).open && !index.member(entity, own);
}

function missing(name: string, kinds: readonly QueryMemberKind[], index: ModelIndex): string {
  const meant = nearestName(
    name,
    queryNames(kinds, index).map((each) => writtenName(each)),
  );
  return `The model has no “${name}”${meant === undefined ? '.' : `. Did you mean “${meant}”?`}`;
}
