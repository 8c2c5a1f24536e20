import type { Hash } from './hash.ts';

export type JournalOperation = 'upload' | 'download' | 'deleteRemote' | 'deleteLocal' | 'renameRemote' | 'renameLocal';

/** One note in the journal. Recovery observes both sides; it never replays. */
export type JournalRecord =
  /** Opens a journal: it extends the snapshot of this generation and seal. */
  | {
      readonly type: 'open';
      readonly target: string;
      readonly generation: number;
      readonly seal: string | undefined;
    }
  /** About to happen. */
  | {
      readonly type: 'intent';
      readonly operation: JournalOperation;
      readonly path: string;
      readonly expectedLocal: Hash | undefined;
      readonly expectedRemote: Hash | undefined;
      readonly hash: Hash | undefined;
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
  /** Everything was finished: the stop that follows is a clean one, as long as the machine was not started anew. */
  | { readonly type: 'close'; readonly boot: string };
