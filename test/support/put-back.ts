/**
 * Remembers the fields of the objects that a module exports. What is returned puts them back, removes fields that were added, and
 * gives lists that were filled in place their former entries.
 */
export function putBack(module: object): () => void {
  const remembered = Object.values(module)
    .filter((part): part is object => typeof part === 'object' && part !== null)
    .map((part) => ({ part, fields: withOwnLists(part) }));
  return () => {
    for (const { part, fields } of remembered) {
      for (const name of Object.keys(part)) if (!(name in fields)) Reflect.deleteProperty(part, name);
      Object.assign(part, withOwnLists(fields));
    }
  };
}

function withOwnLists(fields: object): object {
  const all = Object.entries(fields) as [string, unknown][];
  return Object.fromEntries(
    all.map(([name, value]) => [name, Array.isArray(value) ? [...(value as unknown[])] : value]),
  );
}
