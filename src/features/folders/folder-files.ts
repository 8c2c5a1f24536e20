import type { ModelTexts } from '#features/review/index.ts';

/** The files of a linked folder, on disk and in the editors of the window. */
export interface FolderFiles {
  /** Resolves to the saved content; `undefined` if there is no such file. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  readonly isUnsaved: (path: string) => boolean;
  /** Resolves to the models of the folder, except those at these paths. */
  readonly modelsWithout: (paths: ReadonlySet<string>) => Promise<ModelTexts>;
}
