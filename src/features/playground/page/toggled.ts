import type { Draft, PlaygroundMember } from '#features/playground/messages.ts';

/** Whether a draft contains a member outside its filters. */
export function isChosen({ name, kind }: PlaygroundMember, { measures, dimensions, segments, time }: Draft): boolean {
  switch (kind) {
    case 'measure':
      return measures.includes(name);
    case 'segment':
      return segments.includes(name);
    case 'time':
      return time.dimension === name || dimensions.includes(name);
    default:
      return dimensions.includes(name);
  }
}

/**
 * Returns the changes that add a member to the draft or remove it. The first time dimension is grouped by day; a removed member
 * no longer sorts the rows.
 */
export function toggled(member: PlaygroundMember, draft: Draft): Partial<Draft> {
  const { name, kind } = member;
  const order = draft.order.filter((entry) => entry.member !== name && !entry.member.startsWith(`${name}.`));
  const change = (list: readonly string[]): string[] =>
    list.includes(name) ? list.filter((each) => each !== name) : [...list, name];
  switch (kind) {
    case 'measure':
      return { measures: change(draft.measures), order };
    case 'segment':
      return { segments: change(draft.segments) };
    case 'time':
      if (draft.time.dimension === name) return { time: noTime, order };
      if (draft.time.dimension !== '' || draft.dimensions.includes(name)) break;
      return { time: { ...draft.time, dimension: name, granularity: 'day' } };
    default:
  }
  return { dimensions: change(draft.dimensions), order };
}

const noTime: Draft['time'] = { dimension: '', granularity: '', range: '', from: '', to: '' };
