import { positionOfEngineError } from '#model/engine/engine-errors.ts';
import { plainMessage } from '#model/engine/engine-refusals.ts';
import { type ModelFile, parseFile } from '#model/file.ts';
import { ModelIndex } from '#model/index.ts';
import type { ProposalError } from '#features/language/messages.ts';
import type { EngineError, EngineFile } from '#language-server/engine/messages.ts';
import { engineFiles } from './engine-texts.ts';
import type { ModelRoot } from '#language-server/workspace/workspace.ts';

/** A model file with its proposed text. */
export interface ProposedFile {
  readonly uri: string;
  readonly text: string;
}

/** A model with the proposed texts of some files. The model itself does not change. */
export class ProposedModel {
  readonly files: readonly ModelFile[];
  readonly #root: ModelRoot;
  readonly #proposed: readonly ModelFile[];

  constructor(root: ModelRoot, proposed: readonly ProposedFile[]) {
    this.#root = root;
    this.#proposed = proposed.map(({ uri, text }) => parseFile(uri, text));
    const replaced = new Set(proposed.map(({ uri }) => uri));
    this.files = [...[...root.index.files()].filter(({ path }) => !replaced.has(path)), ...this.#proposed];
  }

  get hasScripts(): boolean {
    return this.#proposed.some(({ language }) => language === 'script');
  }

  get engineFiles(): readonly EngineFile[] {
    return engineFiles(this.#root.uri, this.files);
  }

  /** Returns the errors with their lines in the proposed texts. */
  placed(errors: readonly EngineError[]): readonly ProposalError[] {
    const index = new ModelIndex(this.#root.uri);
    for (const file of this.#proposed) index.set(file);
    return errors.map((error) => ({ message: plainMessage(error.message), location: this.#placeOf(error, index) }));
  }

  #placeOf({ message, fileName, line, isThrown }: EngineError, index: ModelIndex): ProposalError['location'] {
    const quoted = /\(in ([^\n]+):(\d+)\)/.exec(message);
    const named = this.#fileNamed(quoted?.[1] ?? fileName);
    if (quoted && named) return { uri: named.path, line: Math.max(0, Number(quoted[2]) - 1) };
    // A script may throw any text, which may name any cube.
    const position = isThrown === true ? undefined : positionOfEngineError(message, index);
    for (const { path, chunks, text } of position ? this.#proposed : []) {
      const chunk = chunks.find((other) => other.chunk === position?.chunk);
      if (chunk && position)
        return { uri: path, line: text.slice(0, chunk.start + position.start).split('\n').length - 1 };
    }
    return named && { uri: named.path, line: (line ?? 1) - 1 };
  }

  #fileNamed(name: string | undefined): ModelFile | undefined {
    return name === undefined ? undefined : this.#proposed.find(({ path }) => path === `${this.#root.uri}/${name}`);
  }
}
