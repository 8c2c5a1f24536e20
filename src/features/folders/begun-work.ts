import type { ListedState } from '#shell/erased-texts.ts';
import type { BegunMerges } from './begun-merges.ts';
import type { BegunStates } from './begun-records.ts';

/** Records a change of begun work; the state has it only afterwards. */
export type RecordBegun = (key: string, value: unknown) => Promise<void>;

/** Begun work of linked folders: its states, and what records their changes. */
export interface BegunWork extends BegunStates {
  readonly merges: BegunMerges;
  readonly records: Set<RecordBegun>;
}

/**
 * Returns a state whose changes are recorded first: VS Code stores its own in the profile, which can be lost or belong to another
 * workspace (docs/sync.md#begun-work).
 */
export function recordedState(state: ListedState, records: ReadonlySet<RecordBegun>): ListedState {
  return {
    get: (key) => state.get(key),
    keys: () => state.keys(),
    set: async (key, value) => {
      for (const record of records) await record(key, value);
      await state.set(key, value);
    },
  };
}
