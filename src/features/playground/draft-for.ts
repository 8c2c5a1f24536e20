import { type Draft, emptyDraft } from './draft.ts';
import type { PlaygroundMember } from './messages.ts';

/**
 * Returns an initial query for a member (`orders.count`), or for a cube or view (`orders`): its first measure, otherwise its
 * first dimension or time dimension. `undefined` if the model has nothing of that name.
 */
export function draftFor(name: string, members: readonly PlaygroundMember[]): Draft | undefined {
  const own = members.filter((member) => member.name.startsWith(`${name}.`));
  const first = (kind: PlaygroundMember['kind']): PlaygroundMember | undefined =>
    own.find((member) => member.kind === kind);
  const member = members.find((each) => each.name === name) ?? first('measure') ?? first('dimension') ?? first('time');
  return member && draftWith(member, members);
}

/** Returns why there is no query for a name: the model on `place` does not have it. */
export function missingText(name: string, source: string): string {
  return `“${name}” is not in the model that ${source} runs, or it is not public there. Save or push your changes; the query opens here once they are built and the members are read again.`;
}

function draftWith({ name, kind }: PlaygroundMember, members: readonly PlaygroundMember[]): Draft {
  switch (kind) {
    case 'measure':
      return { ...emptyDraft, measures: [name] };
    case 'dimension':
      return { ...emptyDraft, dimensions: [name] };
    case 'time':
      return { ...emptyDraft, time: { ...emptyDraft.time, dimension: name, granularity: 'day' } };
    default: {
      // A segment alone selects nothing: it restricts the rows that its cube counts.
      const cube = name.slice(0, name.indexOf('.') + 1);
      const measure = members.find((each) => each.kind === 'measure' && each.name.startsWith(cube));
      return { ...emptyDraft, measures: measure ? [measure.name] : [], segments: [name] };
    }
  }
}
