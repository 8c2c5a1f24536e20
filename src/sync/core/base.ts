import type { Hash } from './hash.ts';

/** What both sides agreed on for one path. It holds its path, so that listings can share the text as well. */
export interface BaseEntry {
  readonly path: string;
  readonly hash: Hash;
  readonly size: number;
}

/** The agreed state of a folder and a branch. */
export interface BaseSnapshot {
  /** `targetKey` of the target it belongs to. */
  readonly target: string;
  /** Grows by one with every snapshot; journal records of another generation are not for it. */
  readonly generation: number;
  /** Identity of the folder it was taken from. */
  readonly root: string | undefined;
  /** What came before was damaged: nothing is changed on its account until the user has seen every difference. */
  readonly isDoubtful?: boolean | undefined;
  /** What a loaded snapshot is known by: the journal that extends it names it. */
  readonly seal?: string | undefined;
  readonly entries: ReadonlyMap<string, BaseEntry>;
}
