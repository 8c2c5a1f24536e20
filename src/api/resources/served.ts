import * as v from 'valibot';
import type { Client } from '#api/client/client.ts';
import type { Operation, RequestOf } from '#api/operation.ts';
import { type CursorPage, cursorListOf, freeObject, listOf, servedObject } from '#api/schema.ts';

/** An object as the platform served it: with all fields and values. */
export type Served = Readonly<Record<string, unknown>>;

/**
 * Reads responses as served, for documents that are edited and sent back. Typed responses leave out what is not
 * understood (a null, a value of another type, an odd row of a list), which a document must neither show as missing nor
 * remove.
 */

/** Resolves to an object as served. */
export async function readServed<Op extends Operation>(
  client: Client,
  op: Op,
  request: RequestOf<Op>,
): Promise<Served> {
  return client.call({ ...op, answer: servedObject }, request as never) as Promise<Served>;
}

/** Resolves to the rows of a list as served; entries that are not objects are left out. */
export async function readServedRows<Op extends Operation>(
  client: Client,
  op: Op,
  request: RequestOf<Op>,
): Promise<readonly Served[]> {
  const answer = (await client.call({ ...op, answer: listOf(freeObject) }, request as never)) as { data: Served[] };
  return answer.data;
}

/** Resolves to a page of a cursor list, with its rows as served. */
export async function readServedPage<Op extends Operation>(
  client: Client,
  op: Op,
  request: RequestOf<Op>,
): Promise<CursorPage<Served>> {
  return client.call({ ...op, answer: cursorListOf(freeObject) }, request as never) as Promise<CursorPage<Served>>;
}

/** Returns the id of a served object as text; platforms send ids as numbers and as text. */
export function servedId({ id }: Served): string | undefined {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** Returns the value of a field if it is non-empty text. */
export function servedText(object: Served, field: string): string | undefined {
  const value = object[field];
  return v.is(v.pipe(v.string(), v.nonEmpty()), value) ? value : undefined;
}
