import type { MetaCube } from '#api/data/data-operations.ts';
import { GRANULARITIES } from '#model/language/shared-keys.ts';
import { nearestName } from '#model/suggest.ts';
import { type JsonPath, jsonPositionAt, strings, type TextRange } from '#shell/json-text.ts';

export type WidgetMemberKind = 'measure' | 'dimension' | 'time' | 'segment';

/** A member of the data model, named as in widgets: `orders.count`. */
export interface Member {
  readonly name: string;
  readonly kind: WidgetMemberKind;
  readonly title: string;
  readonly description: string;
  /** Its type in the model, for example `count` or `string`. */
  readonly type: string;
  /** The granularities that a time dimension defines itself. */
  readonly granularities: readonly string[];
}

/** Returns the members of an environment's metadata that queries can use. */
export function membersOf(cubes: readonly MetaCube[]): readonly Member[] {
  return cubes.flatMap((cube) => {
    const read = (list: MetaCube['measures'], kind: (type: string) => WidgetMemberKind): readonly Member[] =>
      list
        .filter(({ isVisible, public: isPublic }) => isVisible !== false && isPublic !== false)
        .map(({ name, title, description, type, aggType, granularities = [] }) => ({
          name,
          kind: kind(type ?? ''),
          title: title ?? name,
          description: description ?? '',
          type: aggType ?? type ?? '',
          granularities: granularities.map((each) => each.name),
        }));
    return [
      ...read(cube.measures, () => 'measure'),
      ...read(cube.dimensions, (type) => (type === 'time' ? 'time' : 'dimension')),
      ...read(cube.segments, () => 'segment'),
    ];
  });
}

/** A position in a dashboard's text where a member can be inserted. */
export interface MemberLocation {
  readonly members: readonly Member[];
  /** The range to replace: between the quotes, to the end of the word if they are not closed, empty if there are none. */
  readonly range: TextRange;
  /** The quotes that are missing before and after an inserted name. */
  readonly missing: { readonly before: '' | '"'; readonly after: '' | '"' };
}

/** A name in a widget's config that is not a member of the model, or a member that its field does not accept. */
export interface MemberProblem {
  readonly range: TextRange;
  readonly message: string;
}

/** Whether a dashboard names any members; if not, its model need not be read. */
export function namesMembers(text: string): boolean {
  return strings(text).some(({ path, isName }) => kindsAt(path, isName) !== undefined);
}

/**
 * Returns the names in the queries of widgets that the model does not have. Only checks fields that contain nothing but members;
 * a time dimension may have a granularity (`orders.created_at.month`). Without `members` there is nothing to compare with, and no
 * problems.
 */
export function memberProblems(text: string, members: readonly Member[]): readonly MemberProblem[] {
  if (members.length === 0) return [];
  const known = new Map(members.map((member) => [member.name, member]));
  return strings(text).flatMap(({ path, isName, range }) => {
    const kinds = kindsAt(path, isName);
    if (!kinds) return [];
    const name = text.slice(range.start, range.end);
    // Config is free-form (docs/platform-api.md#dashboard-configuration): a plain word under `dimension` may mean something else.
    if (!name.includes('.') && !isList(path)) return [];
    const member = known.get(name) ?? timeOf(name, known);
    if (name === '' || (member && kinds.includes(member.kind))) return [];
    return [{ range, message: member ? wrongKind(member, kinds) : unknownName(name, kinds, members) }];
  });
}

/** Returns the member that the name at an offset of a dashboard means, with the range of the name. */
export function memberAt(
  text: string,
  offset: number,
  members: readonly Member[],
): { readonly member: Member; readonly range: TextRange } | undefined {
  const { path, inside, isName } = jsonPositionAt(text, offset);
  const kinds = inside && kindsAt(path, isName);
  if (!kinds) return undefined;
  const name = text.slice(inside.start, inside.end);
  const member =
    members.find((each) => each.name === name) ?? timeOf(name, new Map(members.map((each) => [each.name, each])));
  return member && { member, range: inside };
}

/** Whether a path is an item in a list of members. */
const isList = (path: JsonPath): boolean =>
  typeof path.at(-1) === 'number' && ['measures', 'dimensions', 'segments'].includes(String(path.at(-2)));

function timeOf(name: string, known: ReadonlyMap<string, Member>): Member | undefined {
  const member = known.get(name.slice(0, Math.max(0, name.lastIndexOf('.'))));
  return member?.kind === 'time' ? member : undefined;
}

function wrongKind({ name, kind }: Member, kinds: readonly WidgetMemberKind[]): string {
  return `“${name}” is a ${kindNames[kind]}; expected is a ${kinds.map((each) => kindNames[each]).join(' or ')}`;
}

function unknownName(name: string, kinds: readonly WidgetMemberKind[], members: readonly Member[]): string {
  const meant = nearestName(
    name,
    members.filter(({ kind }) => kinds.includes(kind)).map((member) => member.name),
  );
  const hint = meant === undefined ? '' : `: did you mean “${meant}”?`;
  return `The data model has no ${kinds.map((each) => kindNames[each]).join(' or ')} “${name}”${hint}`;
}

const kindNames: Readonly<Record<WidgetMemberKind, string>> = {
  measure: 'measure',
  dimension: 'dimension',
  time: 'time dimension',
  segment: 'segment',
};

/** Returns the members that fit a position inside a widget's config; `undefined` elsewhere. */
export function membersAt(text: string, offset: number, members: readonly Member[]): MemberLocation | undefined {
  const { path, inside, isName } = jsonPositionAt(text, offset);
  if (!isInConfig(path)) return undefined;
  const written = inside ? text.slice(inside.start, inside.end) : '';
  const kinds = kindsAt(path, isName) ?? (isName || !/^\w+\./.test(written) ? undefined : everyKind);
  if (!kinds) return undefined;
  const fitting = members.filter(({ kind }) => kinds.includes(kind));
  const typed = inside ? text.slice(inside.start, offset) : '';
  const periods = namesColumns(path) ? periodsOf(typed, fitting) : [];
  return { members: periods.length > 0 ? periods : fitting, ...quotesAt(text, offset, inside) };
}

/** Whether a path is in a field whose time dimensions may have a granularity. */
const namesColumns = (path: JsonPath): boolean =>
  ['dimensions', 'order'].includes(String(path.findLast((step) => typeof step === 'string')));

/** Returns a time dimension with each of its granularities, once the dot behind its name is typed. */
function periodsOf(typed: string, members: readonly Member[]): readonly Member[] {
  const time = members.find(({ kind, name }) => kind === 'time' && typed.startsWith(`${name}.`));
  if (!time) return [];
  const names = [...GRANULARITIES, ...time.granularities];
  return names.map((granularity) => ({ ...time, name: `${time.name}.${granularity}` }));
}

/** Returns the range that a name replaces, and the quotes that it needs. */
function quotesAt(
  text: string,
  offset: number,
  inside: TextRange | undefined,
): Pick<MemberLocation, 'range' | 'missing'> {
  if (!inside) return { range: { start: offset, end: offset }, missing: { before: '"', after: '"' } };
  const rest = text.slice(offset, inside.end);
  // Where the closing quote is not written yet, the text up to the next quote or the end of the line seems to be in the string.
  const isClosed = text[inside.end] === '"' && !/^[\w.]*\s*[,:[\]{}]/.test(rest);
  const word = /^[\w.]*/.exec(rest)?.[0] ?? '';
  return {
    range: { start: inside.start, end: isClosed ? inside.end : offset + word.length },
    missing: { before: '', after: isClosed ? '' : '"' },
  };
}

const everyKind: readonly WidgetMemberKind[] = ['measure', 'dimension', 'time', 'segment'];
const grouped: readonly WidgetMemberKind[] = ['dimension', 'time'];
const filtered: readonly WidgetMemberKind[] = ['measure', 'dimension', 'time'];

const kindsOf: Readonly<Record<string, readonly WidgetMemberKind[]>> = {
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

const isInConfig = (path: JsonPath): boolean =>
  path[0] === 'widgets' && typeof path[1] === 'number' && path[2] === 'config';

/** Returns the kinds of members that the field at a path accepts; property names are members only in `order`. */
function kindsAt(path: JsonPath, isName: boolean): readonly WidgetMemberKind[] | undefined {
  // In `order: [["orders.count", "asc"]]`, the second item is a direction.
  if (!isInConfig(path) || (path.at(-3) === 'order' && path.at(-1) === 1)) return undefined;
  const names = path.slice(3).filter((step) => typeof step === 'string');
  const field = names.at(-1);
  if (field === undefined || (isName && field !== 'order')) return undefined;
  if (field === 'dimension' && names.includes('timeDimensions')) return ['time'];
  // The value in `order: {member: "asc"}` is a direction.
  return Object.hasOwn(kindsOf, field) ? kindsOf[field] : undefined;
}
