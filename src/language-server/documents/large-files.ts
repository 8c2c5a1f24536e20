import type { Chunk, ModelFile } from '#model/file.ts';
import { releaseChunk } from '#model/symbols.ts';

/** Of a file with more characters than this, the user sees only a few lines at a time. */
const LARGE = 100_000;

/** Checks whether work on a file of so many characters must be done piece by piece. */
export function isLarge(characters: number): boolean {
  return characters > LARGE;
}

/** Frees the trees of a large file's chunk after work on it: for all chunks at once they would take many times its text. */
export function releaseLarge({ text }: Pick<ModelFile, 'text'>, chunk: Chunk): void {
  if (isLarge(text.length)) releaseChunk(chunk);
}

/** Answers a request about a file; of a large one, the trees that this needed are freed afterwards. */
export function withoutTrees<R>(file: Pick<ModelFile, 'text' | 'chunks'>, answer: () => R): R {
  try {
    return answer();
  } finally {
    for (const { chunk } of file.chunks) releaseLarge(file, chunk);
  }
}
