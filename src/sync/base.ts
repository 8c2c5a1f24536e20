import type { Hash } from './ports.ts';

/** What both sides agreed on for one path. */
export interface BaseEntry {
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
  readonly entries: ReadonlyMap<string, BaseEntry>;
}
