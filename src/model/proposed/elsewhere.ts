import { type ModelFile, parseFile } from '../file.ts';

/** A cube or view that another file already defines. */
export interface KnownElsewhere {
  readonly name: string;
  readonly path: string;
}

/** Returns the first cube or view that a new version of a file adds to the model although another file defines it. */
export function definedElsewhere(
  path: string,
  before: string | undefined,
  after: string,
  model: ReadonlyMap<string, string>,
): KnownElsewhere | undefined {
  const known = new Set(before === undefined ? [] : namesIn(parseFile(path, before)));
  const added = namesIn(parseFile(path, after)).filter((name) => !known.has(name));
  for (const [other, text] of model) {
    const maybe = other === path ? [] : added.filter((name) => text.includes(name));
    if (maybe.length === 0) continue;
    const names = new Set(namesIn(parseFile(other, text)));
    const name = maybe.find((candidate) => names.has(candidate));
    if (name !== undefined) return { name, path: other };
  }
  return undefined;
}

/** Returns the names of a file's entities; cubes and views share a namespace. */
function namesIn({ chunks }: ModelFile): readonly string[] {
  return chunks.flatMap(({ chunk }) =>
    chunk.entities.flatMap(({ kind, nameNode }) => (kind === 'viewGroup' || !nameNode ? [] : [nameNode.value])),
  );
}
