import type { ModelTexts } from '#features/review/index.ts';

/** The files of a linked folder as the window has them. */
export interface FolderFiles {
  /** What is saved; `undefined` where there is no such file. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  readonly isUnsaved: (path: string) => boolean;
  /** The models of the folder without those at these paths. */
  readonly modelsWithout: (paths: ReadonlySet<string>) => Promise<ModelTexts>;
}
