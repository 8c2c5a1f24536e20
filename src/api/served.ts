import * as v from 'valibot';
import type { Client } from './client.ts';
import type { Operation, RequestOf } from './operation.ts';
import { type CursorPage, cursorListOf, freeObject, listOf, servedObject } from './schema.ts';

/** An object as the platform served it: every field, with whatever value it came. */
export type Served = Readonly<Record<string, unknown>>;

/**
 * Answers read for documents that are edited and sent back. The typed answers leave out what is not understood (a null, a
 * value of another type, an odd row of a list), which a document must neither show as missing nor take away.
 */

/** An object, whole. */
export async function readServed<Op extends Operation>(
  client: Client,
  op: Op,
  request: RequestOf<Op>,
): Promise<Served> {
  return client.call({ ...op, answer: servedObject }, request as never) as Promise<Served>;
}

/** The rows of a list, whole; what is not an object is left out. */
export async function readServedRows<Op extends Operation>(
  client: Client,
  op: Op,
  request: RequestOf<Op>,
): Promise<readonly Served[]> {
  const answer = (await client.call({ ...op, answer: listOf(freeObject) }, request as never)) as { data: Served[] };
  return answer.data;
}

/** A page of a cursor list, its rows whole. */
export async function readServedPage<Op extends Operation>(
  client: Client,
  op: Op,
  request: RequestOf<Op>,
): Promise<CursorPage<Served>> {
  return client.call({ ...op, answer: cursorListOf(freeObject) }, request as never) as Promise<CursorPage<Served>>;
}

/** The id of a served object as text; platforms write ids as numbers and as text. */
export function servedId({ id }: Served): string | undefined {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** A field that is text and not empty. */
export function servedText(object: Served, field: string): string | undefined {
  const value = object[field];
  return v.is(v.pipe(v.string(), v.nonEmpty()), value) ? value : undefined;
}
