import { withArticle } from '#base/words.ts';
import type { Problem } from '../codes.ts';
import type { Effective } from '../effective.ts';
import type { ModelIndex } from '../index.ts';
import { nounOfKind } from '../kind-nouns.ts';
import type { Reference } from '../references.ts';
import { resolve } from '../resolve.ts';
import type { EntitySymbol } from '../symbols.ts';

type Wanted = 'measure' | 'dimension' | 'segment' | 'time';

/**
 * The kind of member that references under a key must have, by the surrounding shape; the engine checks it only when a query
 * needs it.
 */
const WANTED: Readonly<Record<string, Readonly<Record<string, Wanted>>>> = {
  preAggregation: {
    measures: 'measure',
    measure_references: 'measure',
    dimensions: 'dimension',
    dimension_references: 'dimension',
    segments: 'segment',
    segment_references: 'segment',
    time_dimension: 'time',
    time_dimension_reference: 'time',
  },
  timeDimension: { dimension: 'time' },
  timeShift: { time_dimension: 'time' },
  measure: { group_by: 'dimension', reduce_by: 'dimension', add_group_by: 'dimension' },
  dimension: { add_group_by: 'dimension' },
};

const WORDS: Readonly<Record<Wanted, string>> = {
  measure: 'a measure',
  dimension: 'a dimension',
  segment: 'a segment',
  time: 'a dimension of `type: time`',
};

/** Reports members in lists that take members of another kind. */
export function checkMemberKinds(entity: EntitySymbol, index: ModelIndex): Problem[] {
  if (entity.chunk.templated) return [];
  return entity.references.flatMap((reference) => {
    const wanted = WANTED[reference.shape]?.[reference.key];
    return wanted === undefined ? [] : checkKind(reference, wanted, entity, index);
  });
}

function checkKind(reference: Reference, wanted: Wanted, entity: EntitySymbol, index: ModelIndex): Problem[] {
  const last = resolve(reference, entity, index).referents.at(-1);
  if (last?.is !== 'member' || fits(last.member, wanted)) return [];
  const { name, kind, member } = last.member;
  const type = kind === 'dimension' && wanted === 'time' ? ` of \`type: ${member.text('type') ?? ''}\`` : '';
  const message = `\`${name}\` is ${withArticle(nounOfKind(kind))}${type}: \`${reference.key}\` takes ${WORDS[wanted]}.`;
  return [{ code: 'wrong-member-kind', start: reference.start, end: reference.end, message }];
}

function fits({ kind, member }: Effective, wanted: Wanted): boolean {
  if (wanted !== 'time') return kind === wanted;
  const type = member.text('type');
  return kind === 'dimension' && (member.isOpen || type === undefined || type === 'time' || /\W/.test(type));
}
