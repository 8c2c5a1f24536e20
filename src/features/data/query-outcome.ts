import type { LoadAnswer } from '#api/data/data.ts';
import { isPlatformError } from '#api/errors.ts';
import { isObject } from '#api/schema.ts';
import { isCancelled } from '#base/async.ts';
import type { MemberAnnotation, QueryAnnotation, QueryOutcome } from './query-service.ts';

/** Returns the outcome of a query that threw an error. Rethrows an error that did not come from a server. */
export function outcomeOf(error: unknown): QueryOutcome {
  if (isCancelled(error)) return { kind: 'cancelled' };
  if (!isPlatformError(error)) throw error;
  if (error.kind === 'auth' && error.status === undefined) return { kind: 'unavailable', message: error.message };
  if (error.kind === 'invalidRequest') return { kind: 'wrongQuery', message: error.message };
  return { kind: 'failed', message: error.message, error };
}

/** Returns the outcome of an answer: its rows and the facts of the run; `milliseconds` is its duration. */
export function rowsOutcome(answer: LoadAnswer, source: string, milliseconds: number): QueryOutcome {
  const { data: rows, annotation, lastRefreshTime, total } = answer;
  const used = answer['usedPreAggregations'];
  return {
    kind: 'rows',
    rows,
    annotation: annotationOf(annotation),
    facts: { source, milliseconds, preAggregations: isObject(used) ? Object.keys(used) : [], lastRefreshTime, total },
  };
}

function annotationOf(annotation: Readonly<Record<string, unknown>> | undefined): QueryAnnotation {
  const { measures, dimensions, timeDimensions } = annotation ?? {};
  return { measures: members(measures), dimensions: members(dimensions), timeDimensions: members(timeDimensions) };
}

function members(annotated: unknown): Readonly<Record<string, MemberAnnotation>> {
  if (!isObject(annotated)) return {};
  return Object.fromEntries(Object.entries(annotated).map(([name, member]) => [name, memberOf(member)]));
}

function memberOf(member: unknown): MemberAnnotation {
  const { title, shortTitle, type, format, granularity } = isObject(member) ? member : {};
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return { title: text(title), shortTitle: text(shortTitle), type: text(type), format, granularity: text(granularity) };
}
