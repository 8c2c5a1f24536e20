import type { ModelFile } from '#model/file.ts';
import { type FileLanguage, isModelPath, languageOf } from '#model/project/model-path.ts';
import { looksLikeModel } from '#model/project/looks-like-model.ts';
import type { ModelRoot } from './model-root.ts';
import type { EditedDocument } from '#language-server/documents/edited-document.ts';

/**
 * Returns the language of a document: by the end of its path, as for the engine. One that has no such path (it was never saved, or a
 * query follows) has that of the editor.
 */
export function languageOfDocument({ uri, languageId }: Pick<EditedDocument, 'uri' | 'languageId'>): FileLanguage {
  const path = uri.replace(/[?#].*$/s, '');
  if (isModelPath(path)) return languageOf(path);
  return languageId === 'javascript' ? 'script' : 'yaml';
}

/** Checks whether a file outside of every linked folder is nevertheless a model. */
export function isModelText(uri: string, text: string, language: FileLanguage): boolean {
  return uri.startsWith('modelbench:') ? isModelPath(uri) : looksLikeModel(uri, text, language);
}

/**
 * Checks whether the user can correct a document. Versions of a file in a history, cells of notebooks and the like are read, but what can
 * be corrected lies in a root, on the disk or where roots are, or was never saved.
 */
export function canBeCorrected(
  uri: string,
  around: Pick<ModelRoot, 'isStandalone'> | undefined,
  roots: readonly Pick<ModelRoot, 'uri'>[],
): boolean {
  if (around?.isStandalone === false || /^(?:file|untitled):/.test(uri)) return true;
  return roots.some((root) => uri.startsWith(root.uri.slice(0, root.uri.indexOf(':') + 1)));
}

const known = new WeakMap<ModelFile, boolean>();

/** Checks the same of a parsed file, whose text is read once for this. */
export function isModelFile(file: ModelFile): boolean {
  const isModel = known.get(file) ?? isModelText(file.path, file.text, file.language);
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
    if (this.#recognised.has(document)) return;
    if (isModelText(document.uri, document.getText(), languageOfDocument(document))) this.#recognised.add(document);
  }

  has(document: EditedDocument): boolean {
    return this.#recognised.has(document);
  }
}
