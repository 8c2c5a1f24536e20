import type { ModelFile } from './file.ts';

/** All files of one model: one namespace (§1.1). Files are replaced whole; what is derived from them is computed on demand. */
export class ModelIndex {
  readonly #files = new Map<string, ModelFile>();
  #revision = 0;

  /** Counts every change; results that carry an older one are out of date. */
  get revision(): number {
    return this.#revision;
  }

  get size(): number {
    return this.#files.size;
  }

  file(path: string): ModelFile | undefined {
    return this.#files.get(path);
  }

  files(): Iterable<ModelFile> {
    return this.#files.values();
  }

  set(file: ModelFile): void {
    if (this.#files.get(file.path) === file) return;
    this.#files.set(file.path, file);
    this.#revision++;
  }

  delete(path: string): boolean {
    const isGone = this.#files.delete(path);
    if (isGone) this.#revision++;
    return isGone;
  }
}
