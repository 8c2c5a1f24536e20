import type { MetaCube } from '#api/data-operations.ts';
import { placeAt, type TextRange } from './json-text.ts';

export type MemberKind = 'measure' | 'dimension' | 'time' | 'segment';

/** A member of the data model as widgets name it: `orders.count`. */
export interface Member {
  readonly name: string;
  readonly kind: MemberKind;
  readonly title: string;
  readonly description: string;
  /** Its type in the model, for example `count` or `string`. */
  readonly type: string;
}

/** The members of an environment's metadata that queries may name. */
export function membersOf(cubes: readonly MetaCube[]): readonly Member[] {
  return cubes.flatMap((cube) => {
    const read = (list: MetaCube['measures'], kind: (type: string) => MemberKind): readonly Member[] =>
      list
        .filter(({ isVisible, public: isPublic }) => isVisible !== false && isPublic !== false)
        .map(({ name, title, description, type, aggType }) => ({
          name,
          kind: kind(type ?? ''),
          title: title ?? name,
          description: description ?? '',
          type: aggType ?? type ?? '',
        }));
    return [
      ...read(cube.measures, () => 'measure'),
      ...read(cube.dimensions, (type) => (type === 'time' ? 'time' : 'dimension')),
      ...read(cube.segments, () => 'segment'),
    ];
  });
}

/** A place in a dashboard's text where a member belongs. */
export interface MemberPlace {
  readonly members: readonly Member[];
  /** What is replaced: between the quotes, or nothing where the quotes are still to be written. */
  readonly range: TextRange;
  readonly isQuoted: boolean;
}

/** The members that fit a place inside a widget's config; nothing elsewhere. */
export function membersAt(text: string, offset: number, members: readonly Member[]): MemberPlace | undefined {
  const { path, inside, isName } = placeAt(text, offset);
  if (path[0] !== 'widgets' || typeof path[1] !== 'number' || path[2] !== 'config') return undefined;
  const names = path.slice(3).filter((step) => typeof step === 'string');
  const written = inside ? text.slice(inside.start, inside.end) : '';
  const kinds = kindsFor(names, isName) ?? (isName || !/^\w+\./.test(written) ? undefined : everyKind);
  if (!kinds) return undefined;
  return {
    members: members.filter(({ kind }) => kinds.includes(kind)),
    range: inside ?? { start: offset, end: offset },
    isQuoted: inside !== undefined,
  };
}

const everyKind: readonly MemberKind[] = ['measure', 'dimension', 'time', 'segment'];
const grouped: readonly MemberKind[] = ['dimension', 'time'];
const filtered: readonly MemberKind[] = ['measure', 'dimension', 'time'];

const kindsOf: Readonly<Record<string, readonly MemberKind[]>> = {
  measure: ['measure'],
  measures: ['measure'],
  dimension: grouped,
  dimensions: grouped,
  timeDimension: ['time'],
  segment: ['segment'],
  segments: ['segment'],
  member: filtered,
  members: filtered,
  order: filtered,
};

/** What the field that a place is in takes; an object's field names are members in `order` alone. */
function kindsFor(names: readonly string[], isName: boolean): readonly MemberKind[] | undefined {
  const field = names.at(-1);
  if (field === undefined || (isName && field !== 'order')) return undefined;
  if (field === 'dimension' && names.includes('timeDimensions')) return ['time'];
  // The value of `order: {member: "asc"}` is a direction.
  return Object.hasOwn(kindsOf, field) ? kindsOf[field] : undefined;
}
