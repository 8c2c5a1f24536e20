import * as v from 'valibot';
import { operation } from '#api/operation.ts';
import { byId, changed, listOf, objectOf, openBody } from '#api/schema.ts';

/**
 * Returns functions that define the operations on one kind of object: `path` is that of the list, the path of an object adds its id,
 * and `entries` are the fields of an object in a response. Each takes the documented id of the operation and its summary, and for
 * changes the fields of the body; undocumented fields of a body pass through.
 */
export const objectOperations = <const Entries extends v.ObjectEntries>({
  path,
  tag,
  entries,
}: {
  readonly path: string;
  readonly tag: string;
  readonly entries: Entries;
}) => {
  const one = { path: `${path}{id}`, tag, params: byId };
  return {
    list: (id: string, summary: string) =>
      operation({ id, method: 'GET', path, tag, summary, answer: listOf(v.looseObject(entries)) }),
    create: <const Body extends v.ObjectEntries>(id: string, summary: string, body: Body) =>
      operation({ id, method: 'POST', path, tag, summary, body: openBody(body), answer: changed(entries) }),
    get: (id: string, summary: string) => operation({ ...one, id, method: 'GET', summary, answer: objectOf(entries) }),
    update: <const Body extends v.ObjectEntries>(id: string, summary: string, body: Body) =>
      operation({ ...one, id, method: 'PUT', summary, body: openBody(body), answer: changed(entries) }),
    remove: (id: string, summary: string) => operation({ ...one, id, method: 'DELETE', summary }),
  };
};
