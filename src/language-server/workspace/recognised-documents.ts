import type { ModelFile } from '#model/file.ts';
import { isModelPath } from '#model/project/model-path.ts';
import { looksLikeModel } from '#model/project/looks-like-model.ts';
import type { EditedDocument } from '#language-server/documents/edited-document.ts';

/** Checks whether a file outside of every linked folder is nevertheless a model. */
export function isModelText(uri: string, text: string): boolean {
  return uri.startsWith('modelbench:') ? isModelPath(uri) : looksLikeModel(uri, text);
}

const known = new WeakMap<ModelFile, boolean>();

/** Checks the same of a parsed file, whose text is read once for this. */
export function isModelFile(file: ModelFile): boolean {
  const isModel = known.get(file) ?? isModelText(file.path, file.text);
  known.set(file, isModel);
  return isModel;
}

/**
 * The open documents that have looked like a model since they were opened. While the user edits one, its text may look like something
 * else for a moment: it stays a model until it is closed.
 */
export class RecognisedDocuments {
  readonly #recognised = new WeakSet<EditedDocument>();

  /** Checks the text of a document that was opened or changed. */
  note(document: EditedDocument): void {
    if (!this.#recognised.has(document) && isModelText(document.uri, document.getText()))
      this.#recognised.add(document);
  }

  has(document: EditedDocument): boolean {
    return this.#recognised.has(document);
  }
}
