import type { ModelFile } from '#model/file.ts';

const NAMED = /\{%[-+]?\s*(?:from|import|include|extends)\s+["']([^"'\n]+)["']/g;

/** The files that templates name in their statements, and that were searched for already. */
export class NamedFiles {
  readonly #sought = new WeakMap<object, Set<string>>();

  /** Returns the paths in templates that were not searched for in this model before; from now on they count as searched for. */
  unsought(model: object, templates: Iterable<ModelFile>): readonly string[] {
    const sought = this.#sought.get(model) ?? new Set<string>();
    this.#sought.set(model, sought);
    const names = [...templates].flatMap(pathsIn).filter((path) => path !== '' && !sought.has(path));
    for (const name of names) sought.add(name);
    return [...new Set(names)];
  }

  /** Lets all files of a model be searched for again. */
  forget(model: object): void {
    this.#sought.delete(model);
  }
}

function pathsIn({ text, jinja }: ModelFile): readonly string[] {
  if (jinja.length === 0) return [];
  return [...text.matchAll(NAMED)].map(([, path = '']) => path.replace(/^\.?\//, ''));
}
