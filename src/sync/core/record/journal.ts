import type { Side } from './attempts.ts';
import type { Hash } from '#sync/core/hash.ts';

/** One record in the journal. Recovery compares both sides; it never replays records. */
export type JournalRecord =
  /** Opens a journal that extends the snapshot of this generation and seal. */
  | {
      readonly type: 'open';
      readonly target: string;
      readonly generation: number;
      readonly seal: string | undefined;
    }
  /** An intent: one side is about to get this version of a path, or to lose the path. */
  | {
      readonly type: 'intent';
      /** Missing in journals of earlier versions, whose intents are ignored. */
      readonly side?: Side | undefined;
      readonly path: string;
      readonly hash?: Hash | undefined;
      readonly size?: number;
      readonly time?: number;
    }
  /** Both sides now agree on this path; without `hash`, it is gone on both. */
  | { readonly type: 'done'; readonly path: string; readonly hash: Hash | undefined; readonly size: number }
  /** An upload transaction and what the server has received of it. */
  | {
      readonly type: 'upload';
      readonly id: string;
      /** Identifies the set of files that it was started for. */
      readonly set: string;
      readonly path: string | undefined;
      readonly hash: Hash | undefined;
    }
  | { readonly type: 'uploadEnd'; readonly id: string }
  /** Everything was finished: the following stop is clean, unless the machine has been restarted since. */
  | { readonly type: 'close'; readonly boot: string };
