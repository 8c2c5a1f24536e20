import * as v from 'valibot';
import { answering, idOut, isObject, opt, rowsOf } from '#api/schema.ts';

const result = v.looseObject({ type: opt(v.string()), id: idOut, ok: v.boolean(), error: opt(v.string()) });

/** The result for one item of a bulk operation. */
export type BulkResult = v.InferOutput<typeof result>;

/**
 * The response to a bulk operation (`{results: [{type, id, ok, error?}]}`, with a result for each item). Lists of
 * failures only, lists of ids, a bare list and a response without any list are also accepted. An unreadable row does
 * not hide the others.
 */
export const bulkAnswer = answering(v.looseObject({ results: rowsOf(result) }), (value) => {
  const inner = isObject(value) ? ([value['data'], value['result']].find((each) => isObject(each)) ?? value) : value;
  const results = resultsIn(inner).filter((row) => v.is(result, row));
  return isObject(inner) ? { ...inner, results } : { results };
});

const failureLists = ['failures', 'failed', 'errors'] as const;
const successLists = ['succeeded', 'success', 'successful', 'done'] as const;

function resultsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.map((row) => rowOf(row, undefined));
  if (!isObject(value)) return [];
  const listed = (names: readonly string[], ok: boolean | undefined): readonly unknown[] =>
    names.flatMap((name) => (Array.isArray(value[name]) ? value[name].map((row: unknown) => rowOf(row, ok)) : []));
  return [
    ...listed(failureLists, false),
    ...listed(['results', 'data', 'items'], undefined),
    ...listed(successLists, true),
  ];
}

/** `listed`: the result that the name of the list implies for all its rows. */
function rowOf(row: unknown, listed: boolean | undefined): unknown {
  if (!isObject(row)) return { id: row, ok: listed ?? true };
  const id = row['id'] ?? row['userId'] ?? row['itemId'];
  const error = errorIn(row);
  return { ...row, id, error, ok: verdictIn(row) ?? listed ?? error === undefined };
}

function verdictIn({ ok, success, status }: Readonly<Record<string, unknown>>): boolean | undefined {
  if (typeof ok === 'boolean') return ok;
  if (typeof success === 'boolean') return success;
  if (typeof status === 'number') return status < 400;
  return typeof status === 'string' && /^(?:error|fail)/i.test(status) ? false : undefined;
}

function errorIn({ error, message, reason }: Readonly<Record<string, unknown>>): string | undefined {
  const inner = isObject(error) ? error['message'] : error;
  return [inner, message, reason].find((each): each is string => typeof each === 'string' && each !== '');
}

/**
 * Returns the items that failed, each with the platform’s reason. If the response lists only failures, items that it
 * leaves out are done (as the status shows); if it also lists successes, their result is unknown.
 */
export function bulkFailures<T>(
  items: readonly T[],
  results: readonly BulkResult[],
  isAbout: (item: T, result: BulkResult) => boolean,
): readonly { readonly item: T; readonly error: string }[] {
  const listsAll = results.some(({ ok }) => ok);
  return items.flatMap((item) => {
    const own = results.find((result) => isAbout(item, result));
    if (own ? own.ok : !listsAll) return [];
    return [{ item, error: own?.error ?? (own ? noReason : untold) }];
  });
}

const noReason = 'The platform gave no reason.';
const untold = 'The platform did not report the result.';
