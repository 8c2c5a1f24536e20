import type { Hash } from './hash.ts';

/** The version of one path that both sides agreed on. It holds its path, so that listings can share the string as well. */
export interface BaseEntry {
  readonly path: string;
  readonly hash: Hash;
  readonly size: number;
}

/** The agreed state of a folder and a branch. */
export interface BaseSnapshot {
  /** The `targetKey` of the target that it belongs to. */
  readonly target: string;
  /** Grows with every snapshot. Journal records of another generation do not extend this one. */
  readonly generation: number;
  /** The identity of the folder that it was taken from. */
  readonly root: string | undefined;
  /** The previous state was damaged: nothing is changed based on this one until the user has seen every difference. */
  readonly isDoubtful?: boolean | undefined;
  /** Identifies a loaded snapshot: the journal that extends it names this seal. */
  readonly seal?: string | undefined;
  readonly entries: ReadonlyMap<string, BaseEntry>;
}
