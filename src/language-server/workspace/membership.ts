import { append } from '#base/long-lists.ts';
import type { OpenDocuments } from '#language-server/documents/documents.ts';
import { normalizeUri } from '#language-server/documents/uris.ts';
import type { LanguageHost } from '#language-server/host.ts';
import type { ModelFile } from '#model/file.ts';
import { isModelPath } from '#model/project/model-path.ts';
import type { ModelRoot } from './model-root.ts';
import { NamedFiles } from './named-files.ts';
import { isModelFile, type RecognisedDocuments } from './recognised-documents.ts';

/** The files of all models, which membership decides about. */
interface Files {
  readonly host: Pick<LanguageHost, 'listFiles'>;
  readonly documents: OpenDocuments;
  readonly recognised: RecognisedDocuments;
  rootOf(uri: string): ModelRoot | undefined;
  put(root: ModelRoot, uri: string, text: string): void;
  readInto(root: ModelRoot, uri: string): Promise<void>;
  remove(root: ModelRoot, uri: string): void;
}

/**
 * Decides which files belong to a model that is not linked, whose folder may contain anything: those that look like one, and those that
 * its templates name.
 */
export class Membership {
  readonly #files: Files;
  readonly #named = new NamedFiles();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Lets all files that a model names be searched for again. */
  forget(root: ModelRoot): void {
    this.#named.forget(root);
  }

  /** Finds the files that a template names, and removes those that no template of a mixed root names any more. */
  async follow(root: ModelRoot, uri: string): Promise<void> {
    if (!root.mixed || root.isStandalone) return;
    this.removeUnnamed(root);
    const file = root.index.file(uri);
    if (file) await this.readNamed(root, [file]);
  }

  /** Removes what does not look like a model from a mixed root, unless a template names it. */
  removeUnnamed(root: ModelRoot): void {
    for (const file of [...root.index.files()])
      if (!this.belongs(root, file.path, () => isModelFile(file))) {
        this.#files.remove(root, file.path);
        // It may be the only one that named another.
        this.removeUnnamed(root);
        return;
      }
  }

  /** Checks whether a file belongs to the model of the root around it; `looksLikeModel` is asked where no editor has the file. */
  belongs(root: ModelRoot, uri: string, looksLikeModel: () => boolean): boolean {
    if (!root.mixed) return isModelPath(uri);
    const document = this.#files.documents.get(uri);
    const isModel = document ? this.#files.recognised.has(document) : looksLikeModel();
    return isModel || (!root.isStandalone && this.#named.isNamed(root, uri));
  }

  /**
   * Reads the files that templates of a mixed root name: macros and lines to include belong to the model, although they do not look
   * like one. `listed`: the files of the root, if they are known.
   */
  async readNamed(root: ModelRoot, templates: Iterable<ModelFile>, listed?: readonly string[]): Promise<void> {
    const names = root.mixed && !root.isStandalone ? this.#named.unsought(root, templates) : [];
    if (names.length === 0) return;
    const uris = listed ?? (await this.#files.host.listFiles(root.uri)).map(normalizeUri);
    // A document may be open that was never stored.
    const all = new Set([...uris, ...[...this.#files.documents.all()].map(({ uri }) => uri)]);
    const added: ModelFile[] = [];
    for (const uri of [...all].filter((each) => isModelPath(each) && names.some((name) => each.endsWith(`/${name}`)))) {
      if (root.index.file(uri) || this.#files.rootOf(uri) !== root) continue;
      const document = this.#files.documents.get(uri);
      if (document) this.#files.put(root, uri, document.getText());
      else await this.#files.readInto(root, uri);
      append(added, [root.index.file(uri) ?? []].flat());
    }
    // They may name further ones.
    await this.readNamed(root, added, uris);
  }
}
