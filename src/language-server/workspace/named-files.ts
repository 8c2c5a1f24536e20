import type { ModelFile } from '#model/file.ts';

const NAMED = /\{%[-+]?\s*(?:from|import|include|extends)\s+["']([^"'\n]+)["']/g;

/** A model whose templates name files. */
interface NamingModel {
  readonly index: { files(): Iterable<ModelFile> };
}

/**
 * The files that templates name in their statements: macros and lines to include belong to a model, although they do not look like
 * one.
 */
export class NamedFiles {
  readonly #sought = new WeakMap<NamingModel, Set<string>>();

  /** Returns the paths in templates that were not searched for in this model before; from now on they count as searched for. */
  unsought(model: NamingModel, templates: Iterable<ModelFile>): readonly string[] {
    const sought = this.#sought.get(model) ?? new Set<string>();
    this.#sought.set(model, sought);
    const names = [...templates].flatMap(pathsIn).filter((path) => path !== '' && !sought.has(path));
    for (const name of names) sought.add(name);
    return [...new Set(names)];
  }

  /** Lets all files of a model be searched for again. */
  forget(model: NamingModel): void {
    this.#sought.delete(model);
  }

  /** Checks whether another file of the model names a file now. */
  isNamed({ index }: NamingModel, uri: string): boolean {
    for (const file of index.files())
      if (file.path !== uri && pathsIn(file).some((path) => path !== '' && uri.endsWith(`/${path}`))) return true;
    return false;
  }
}

const known = new WeakMap<ModelFile, readonly string[]>();

function pathsIn(file: ModelFile): readonly string[] {
  if (file.jinja.length === 0) return [];
  const paths = known.get(file) ?? [...file.text.matchAll(NAMED)].map(([, path = '']) => path.replace(/^\.?\//, ''));
  known.set(file, paths);
  return paths;
}
