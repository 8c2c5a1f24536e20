import { advisedError, type PlatformError } from '#api/errors.ts';
import type { ReadonlyStore } from '#base/store.ts';
import { plural } from '#base/words.ts';
import type { SyncStatus } from '#sync/core/folder-sync.ts';
import {
  type Obstacle,
  type UploadedFolder,
  type ValidatedModel,
  validateSaved,
  type ValidationServices,
} from './validate-on-save.ts';
import type { PlatformVerdict } from './messages.ts';

/** The first pause after a failure of the platform, in milliseconds; it doubles with each further failure. */
const firstPauseMs = 60_000;
/** The longest pause in milliseconds, unless the platform asks for a longer one. */
export const longestPauseMs = 15 * 60_000;

/** A folder's sync that also shows which of its changes are not on the branch. */
export interface FollowedFolder extends UploadedFolder {
  readonly status: ReadonlyStore<Pick<SyncStatus, 'localChanges' | 'conflicts'>>;
}

interface ValidationsDeps extends ValidationServices {
  /** The accounts whose key the platform refuses. */
  readonly refusedKeys: ReadonlyStore<ReadonlySet<string>>;
  /** Called when a model can be validated that could not be before. */
  readonly onDidBecomePossible: (root: string) => void;
}

/**
 * Validates the models of a window after saves, and says when one that could not be validated can be: when its changes were
 * uploaded, the key was renewed, or the platform has had a pause. Only the last validation of a root counts.
 */
export class Validations {
  readonly #deps: ValidationsDeps;
  readonly #waiting = new Map<string, AbortController>();
  /** How often the platform failed in a row, by root. */
  readonly #failures = new Map<string, number>();

  constructor(deps: ValidationsDeps) {
    this.#deps = deps;
  }

  /** Has the platform validate a root (a URI); see `validateSaved`. */
  async validate(
    root: string,
    model: ValidatedModel & { readonly sync?: FollowedFolder | undefined },
    signal: AbortSignal,
  ): Promise<PlatformVerdict | null> {
    this.forget(root);
    const found = await validateSaved(this.#deps, model, signal);
    if (signal.aborted) return null;
    if (found?.obstacle?.kind !== 'failure') this.#failures.delete(root);
    if (!found?.obstacle) return found?.verdict ?? null;
    return this.#later(root, model, found.verdict, found.obstacle);
  }

  /** Ends waiting for a root: it is validated now, or no longer. */
  forget(root: string): void {
    this.#waiting.get(root)?.abort();
    this.#waiting.delete(root);
  }

  dispose(): void {
    for (const root of [...this.#waiting.keys()]) this.forget(root);
  }

  /** Waits until an obstacle is gone; returns the verdict, with the time of the next attempt where it is known. */
  #later(
    root: string,
    { target, sync }: { readonly target: { readonly accountId: string }; readonly sync?: FollowedFolder | undefined },
    verdict: PlatformVerdict,
    obstacle: Obstacle,
  ): PlatformVerdict {
    const { clock, refusedKeys } = this.#deps;
    switch (obstacle.kind) {
      case 'notUploaded':
        if (sync) this.#when(root, (signal) => fulfilled(sync.status, isUploaded, signal));
        return verdict;
      case 'refusedKey':
        this.#when(root, (signal) => fulfilled(refusedKeys, (refused) => !refused.has(target.accountId), signal));
        return verdict;
      default: {
        const failures = this.#failures.get(root) ?? 0;
        this.#failures.set(root, failures + 1);
        const pause = pauseMs(failures, obstacle.error);
        this.#when(root, (signal) => clock.sleep(pause, signal));
        const { message: reason } = advisedError(obstacle.error, `Validates again in ${durationText(pause)}.`);
        return { ...verdict, state: 'skipped', reason };
      }
    }
  }

  #when(root: string, passes: (signal: AbortSignal) => Promise<void>): void {
    const waiting = new AbortController();
    this.#waiting.set(root, waiting);
    passes(waiting.signal).then(
      () => {
        if (this.#waiting.get(root) !== waiting) return;
        this.#waiting.delete(root);
        this.#deps.onDidBecomePossible(root);
      },
      () => undefined,
    );
  }
}

function isUploaded({ localChanges, conflicts }: Pick<SyncStatus, 'localChanges' | 'conflicts'>): boolean {
  return localChanges.length + conflicts.length === 0;
}

function pauseMs(failures: number, { retryAfter }: PlatformError): number {
  const own = Math.min(longestPauseMs, firstPauseMs * 2 ** failures);
  return retryAfter === undefined ? own : Math.max(firstPauseMs, retryAfter * 1000);
}

function durationText(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120 ? plural(minutes, 'minute') : plural(Math.ceil(minutes / 60), 'hour');
}

/** Resolves when a store's value fulfils a condition; never after the signal was aborted. */
async function fulfilled<T>(store: ReadonlyStore<T>, isIt: (value: T) => boolean, signal: AbortSignal): Promise<void> {
  if (isIt(store.value)) return;
  await new Promise<void>((resolve) => {
    const listening = store.onDidChange((value) => {
      if (!isIt(value)) return;
      listening.dispose();
      resolve();
    });
    signal.addEventListener('abort', () => listening.dispose(), { once: true });
  });
}
