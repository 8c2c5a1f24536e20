import { linkFile, type ModelFile } from './file.ts';
import { importedFile, type ImportableFiles } from './imported.ts';

/** Maximum number of characters of the files that a script imports; beyond them it is read on its own. */
const LONGEST = 300_000;

interface Link {
  readonly written: ModelFile;
  readonly linked: ModelFile;
  /** The files that it imports, and those that they import, by the paths of the imports. */
  readonly imports: ReadonlyMap<string, ModelFile>;
}

/**
 * The scripts of a model that import others. Each is read together with the files that it imports, because these decide what its
 * definitions are (docs/model-language.md#scripts).
 */
export class LinkedFiles {
  readonly #links = new Map<string, Link>();

  /** Whether all definitions that scripts make by functions of other files are known. */
  get isComplete(): boolean {
    return [...this.#links.values()].every(
      ({ linked, imports }) =>
        imports.size > 0 && linked.chunks.every(({ chunk }) => chunk.script?.isComplete === true),
    );
  }

  /** Returns a file as it was given, before it was linked. */
  written(path: string): ModelFile | undefined {
    return this.#links.get(path)?.written;
  }

  delete(path: string): void {
    this.#links.delete(path);
  }

  /** Returns a file together with those that it imports; the same file if it imports none. */
  link(written: ModelFile, files: ImportableFiles): ModelFile {
    if (importsOf(written).length === 0) {
      this.#links.delete(written.path);
      return written;
    }
    const imports = this.#importsOf(written, files);
    const linked = linkedWith(written, imports);
    this.#links.set(written.path, { written, linked, imports });
    return linked;
  }

  /** Yields the other scripts that must be linked again because of a change of a file. */
  *outdated(files: ImportableFiles): Iterable<ModelFile> {
    for (const { written, imports } of this.#links.values()) {
      const now = this.#importsOf(written, files);
      const isSame =
        now.size === imports.size && [...now].every(([path, file]) => imports.get(path)?.text === file.text);
      if (!isSame) yield written;
    }
  }

  #importsOf(script: ModelFile, files: ImportableFiles): ReadonlyMap<string, ModelFile> {
    const found = new Map<string, ModelFile>();
    const changed = this.#changedImports();
    const collect = (file: ModelFile): void => {
      for (const path of importsOf(file)) {
        const other = found.has(path) || changed.has(path) ? undefined : importedFile(path, files);
        if (other?.language !== 'script' || other.conflicted || other.path === script.path) continue;
        found.set(path, other);
        collect(other);
      }
    };
    collect(script);
    return found;
  }

  /** Returns the imports that some script changes, so that all others see something else than is written. */
  #changedImports(): ReadonlySet<string> {
    const changing = [...this.#links.values()].filter(({ written }) =>
      written.chunks.some(({ chunk }) => chunk.script?.changesImports === true),
    );
    return new Set(changing.flatMap(({ written }) => importsOf(written)));
  }
}

/** Returns the paths that a script imports. */
function importsOf({ language, chunks }: ModelFile): readonly string[] {
  return language === 'script' ? chunks.flatMap(({ chunk }) => chunk.imports.map(({ path }) => path)) : [];
}

function linkedWith(file: ModelFile, imports: ReadonlyMap<string, ModelFile>): ModelFile {
  const files = [...imports].map(([path, { text }]) => ({ path, text }));
  const length = files.reduce((sum, { text }) => sum + text.length, 0);
  return files.length === 0 || length > LONGEST ? file : linkFile(file, files);
}
