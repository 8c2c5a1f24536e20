import type { Side } from './attempts.ts';
import type { Hash } from './hash.ts';

/** One note in the journal. Recovery observes both sides; it never replays. */
export type JournalRecord =
  /** Opens a journal: it extends the snapshot of this generation and seal. */
  | {
      readonly type: 'open';
      readonly target: string;
      readonly generation: number;
      readonly seal: string | undefined;
    }
  /** About to happen: a side gets this version of a path, or loses the path. */
  | {
      readonly type: 'intent';
      /** Missing in journals of earlier versions, whose intents say nothing. */
      readonly side?: Side | undefined;
      readonly path: string;
      readonly hash?: Hash | undefined;
      readonly size?: number;
      readonly time?: number;
    }
  /** Both sides agree on this path now; without `hash`: the path is gone on both. */
  | { readonly type: 'done'; readonly path: string; readonly hash: Hash | undefined; readonly size: number }
  /** An upload transaction and what the server has of it. */
  | {
      readonly type: 'upload';
      readonly id: string;
      /** Names the set of files that it was started for. */
      readonly set: string;
      readonly path: string | undefined;
      readonly hash: Hash | undefined;
    }
  | { readonly type: 'uploadEnd'; readonly id: string }
  /** Everything was finished: the stop that follows is a clean one, as long as the machine was not started again. */
  | { readonly type: 'close'; readonly boot: string };
