import type { MetaCube } from '#api/data/data-operations.ts';
import { membersOf } from '#features/dashboards/index.ts';
import type { WrittenMember } from '#model/written-member.ts';
import type { PlaygroundMember } from './messages.ts';
import type { ValueKind } from './operators.ts';

export type { PlaygroundMember } from './messages.ts';

/** Returns the public members of a model, with the kind of value that filters compare. */
export function playgroundMembers(cubes: readonly MetaCube[]): readonly PlaygroundMember[] {
  const described = new Map(
    cubes.flatMap(({ measures, dimensions }) => [...measures, ...dimensions].map((each) => [each.name, each] as const)),
  );
  return membersOf(cubes).map(({ name, kind, title, description, type }) => {
    const { type: valueType, granularities = [] } = described.get(name) ?? {};
    return {
      name,
      kind,
      title,
      description,
      type,
      // Most measures are numbers; older servers may not say so.
      valueKind: valueKindOf(valueType ?? (kind === 'measure' ? 'number' : '')),
      ...(granularities.length > 0 ? { granularities: granularities.map((each) => each.name) } : {}),
    };
  });
}

/** Returns a function for the titles of members; a name without one is its own title. */
export function titlesIn(members: readonly PlaygroundMember[]): (name: string) => string {
  const titles = new Map(members.map(({ name, title }) => [name, title]));
  return (name) => titles.get(name) || name;
}

/** Returns the names of members that an identity does not see. */
export function hiddenMembers(all: readonly PlaygroundMember[], seen: readonly PlaygroundMember[]): readonly string[] {
  const names = new Set(seen.map(({ name }) => name));
  return all.flatMap(({ name }) => (names.has(name) ? [] : [name]));
}

/** Returns the members that a model has as it is written, but not where queries run. */
export function unbuiltMembers(
  written: readonly WrittenMember[],
  built: readonly PlaygroundMember[],
): readonly WrittenMember[] {
  const names = new Set(built.map(({ name }) => name));
  return written.filter(({ name }) => !names.has(name));
}

function valueKindOf(type: string): ValueKind {
  switch (type) {
    case 'number':
    case 'time':
    case 'boolean':
      return type;
    default:
      return 'text';
  }
}
