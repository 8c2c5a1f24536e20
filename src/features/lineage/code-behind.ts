import { append } from '#base/long-lists.ts';
import type { Chunk } from '#model/chunk.ts';
import type { ModelFile } from '#model/file.ts';
import { importedFile } from '#model/imported.ts';
import type { ModelIndex } from '#model/index.ts';
import { codeOf, type Declaration, type ScriptCode, scriptCode } from '#model/syntax/script/code.ts';

/** A range of offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The code of scripts that definitions take values from: functions and constants, also of other files. Each file is read once. */
export class CodeBehind {
  readonly #index: ModelIndex;
  readonly #read = new Map<string, ScriptCode>();

  constructor(index: ModelIndex) {
    this.#index = index;
  }

  /** Returns the code of all names that a section of a script uses, whichever file declares them; empty if it uses none. */
  of(chunk: Chunk, range: Range, except: readonly Range[] = []): string {
    const file = chunk.kind === 'script' ? this.#index.placement(chunk)?.file : undefined;
    if (!file) return '';
    return this.#behind({ path: file.path, text: chunk.text }, range, new Set(), except).join('\n');
  }

  /** Returns the texts of all files that a script imports, and of those that they import. */
  filesBehind(file: ModelFile, seen: Set<string> = new Set([file.path])): string {
    const imports = file.chunks.flatMap(({ chunk }) => chunk.imports ?? []);
    const texts = imports.map(({ path }) => {
      const found = importedFile(path, this.#index);
      if (!found || seen.has(found.path)) return '';
      seen.add(found.path);
      return [found.path, found.text, this.filesBehind(found, seen)].join('\n');
    });
    return texts.join('\n');
  }

  #behind(
    source: Pick<ModelFile, 'path' | 'text'>,
    { start, end }: Range,
    seen: Set<string>,
    except: readonly Range[] = [],
  ): readonly string[] {
    const { declared, uses } = this.#codeOf(source);
    if (declared.size === 0) return [];
    const found: string[] = [];
    for (let at = firstFrom(uses, start); (uses[at]?.start ?? end) < end; at += 1) {
      const use = uses[at];
      if (!use || except.some((range) => range.start <= use.start && use.start < range.end)) continue;
      for (const each of declared.get(use.name) ?? []) append(found, this.#codeBehind(source, each, seen));
    }
    return found;
  }

  #codeBehind(
    source: Pick<ModelFile, 'path' | 'text'>,
    declaration: Declaration,
    seen: Set<string>,
  ): readonly string[] {
    const id = `${declaration.start} ${source.path}`;
    if (seen.has(id)) return [];
    seen.add(id);
    const { imported } = declaration;
    if (!imported) return [declaration.code, ...this.#behind(source, declaration, seen)];
    const file = importedFile(imported.path, this.#index);
    if (!file) return [declaration.code];
    const there = imported.name === undefined ? undefined : this.#codeOf(file).declared.get(imported.name);
    if (there) return there.flatMap((each) => this.#codeBehind(file, each, seen));
    return [declaration.code, codeOf(file.text), this.filesBehind(file)];
  }

  #codeOf({ path, text }: Pick<ModelFile, 'path' | 'text'>): ScriptCode {
    const known = this.#read.get(path);
    if (known) return known;
    const code = scriptCode(text);
    this.#read.set(path, code);
    return code;
  }
}

/** Returns the index of the first use at an offset or after it. */
function firstFrom(uses: ScriptCode['uses'], start: number): number {
  let [low, high] = [0, uses.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((uses[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
