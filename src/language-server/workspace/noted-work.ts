import { asError } from '#base/async.ts';
import { type ModelFile, unreadFile } from '#model/file.ts';
import type { FileLanguage } from '#model/project/model-path.ts';
import type { OpenDocuments } from '#language-server/documents/documents.ts';
import type { LanguageHost, NotedText } from '#language-server/host.ts';
import { isLarge } from '#language-server/documents/large-files.ts';

const STOPPED = 'the language server stopped while it worked on this text. It is read again once it changes';

/** Work on files that is noted meanwhile: if it ends the process, the next process skips the file until it changes. */
export class NotedWork {
  readonly #host: Pick<LanguageHost, 'notes'>;
  readonly #documents: Pick<OpenDocuments, 'get'>;

  constructor(host: Pick<LanguageHost, 'notes'>, documents: Pick<OpenDocuments, 'get'>) {
    this.#host = host;
    this.#documents = documents;
  }

  /** Runs work on a file with this text. */
  during<T>(uri: string, text: string, work: () => T): T {
    const { notes } = this.#host;
    return notes ? notes.during(uri, this.#noted(uri, text), work) : work();
  }

  /** Parses a text. If the parser fails, only this file is affected. */
  parsed(uri: string, text: string, language: FileLanguage, read: () => ModelFile): ModelFile {
    if (this.#host.notes?.isSkipped(uri, text)) return unreadFile(uri, text, STOPPED, language);
    try {
      return this.during(uri, text, read);
    } catch (error) {
      return unreadFile(uri, text, `reading it failed (${asError(error).message})`, language);
    }
  }

  #noted(uri: string, text: string): NotedText {
    const document = isLarge(text.length) ? this.#documents.get(uri) : undefined;
    return document?.getText() === text ? { text, excerpt: document.excerpt } : { text };
  }
}
