import { LineIndex } from '#base/line-index.ts';
import type { ModelFile } from '#model/file.ts';
import type { OpenDocuments } from './documents.ts';
import type { Positions } from './lines.ts';

/** The positions in files: those of an open document, or of the text itself, which are computed once. */
export class FilePositions {
  readonly #documents: Pick<OpenDocuments, 'get'>;
  readonly #positions = new WeakMap<ModelFile, LineIndex>();

  constructor(documents: Pick<OpenDocuments, 'get'>) {
    this.#documents = documents;
  }

  of(file: ModelFile): Positions {
    const document = this.#documents.get(file.path);
    if (document && document.getText() === file.text) return document;
    const lines = this.#positions.get(file) ?? new LineIndex(file.text);
    this.#positions.set(file, lines);
    return lines;
  }
}
