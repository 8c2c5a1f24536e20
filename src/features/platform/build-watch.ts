import { isPlatformError } from '#api/errors.ts';
import { asError, isCancelled } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import type { Disposable } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import { isEqual } from '#base/equal.ts';
import type { Logger } from '#base/log.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { buildState, type BuildState, isBuilding } from './build-state.ts';

/** Reads the build status once; `signal` cancels the request. */
export type AskBuild = (
  target: BranchTarget,
  signal: AbortSignal,
) => Promise<{ readonly status: string; readonly errorText?: string | null | undefined }>;

export interface BuildFinished {
  readonly target: BranchTarget;
  readonly state: BuildState;
  /** Whether this extension caused or watched the build; reading an old result for the first time does not count. */
  readonly isNews: boolean;
}

/**
 * The first interval, growth factor and longest interval between two requests, in milliseconds; `away`: while the window is not
 * focused. `failures`: after how many failed requests in a row to stop. `unknown`: how often an unknown state is requested again,
 * because the build may continue or have ended.
 */
const pace = { first: 500, factor: 1.5, longest: 10_000, away: 30_000, failures: 5, unknown: 30 } as const;

/** Returns the key of a branch for maps. */
export function branchKey(target: BranchTarget): string {
  return JSON.stringify([target.accountId, target.deploymentId, target.branchName]);
}

/**
 * Follows builds: one follower per branch, whoever asks, with growing intervals. Stops at every final state, at an inactive or
 * bad branch (docs/platform-api.md#getbuildstatus), and after repeated failures.
 */
export class BuildWatcher implements Disposable {
  readonly #ask: AskBuild;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #focused: ReadonlyStore<boolean> | undefined;
  readonly #states = new Store<ReadonlyMap<string, BuildState>>(new Map());
  readonly #running = new Map<string, { readonly controller: AbortController; readonly done: Promise<void> }>();
  readonly #finished = new Emitter<BuildFinished>();

  constructor(options: {
    readonly ask: AskBuild;
    readonly clock: Clock;
    readonly logger: Logger;
    /** Whether the window is focused. */
    readonly focused?: ReadonlyStore<boolean>;
  }) {
    this.#ask = options.ask;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#focused = options.focused;
  }

  /** The last known state of each branch, by `branchKey`. */
  get states(): ReadonlyStore<ReadonlyMap<string, BuildState>> {
    return this.#states;
  }

  /** Fires when a followed build ends. */
  get onDidFinish(): Event<BuildFinished> {
    return this.#finished.event;
  }

  /** Reports the result of a validation, which compiles a branch without building it, like that of a build. */
  validated(target: BranchTarget, errorText: string | undefined): void {
    const phase = errorText === undefined ? 'built' : 'failed';
    this.#finished.fire({ target, state: { phase, errorText, at: this.#clock.now() }, isNews: false });
  }

  stateOf(target: BranchTarget): BuildState | undefined {
    return this.#states.value.get(branchKey(target));
  }

  /**
   * Follows the branch's build to its end. Starts over after a newer push, because the running follower cannot know about it.
   * Resolves when following ends; never rejects.
   */
  follow(target: BranchTarget): Promise<void> {
    this.stop(target);
    return this.#start(target, true);
  }

  /** Reads the state once, and follows a build in progress; calls share one follower. */
  check(target: BranchTarget): Promise<void> {
    return this.#running.get(branchKey(target))?.done ?? this.#start(target, false);
  }

  stop(target: BranchTarget): void {
    const key = branchKey(target);
    this.#running.get(key)?.controller.abort();
    this.#running.delete(key);
  }

  dispose(): void {
    for (const { controller } of this.#running.values()) controller.abort();
    this.#running.clear();
    this.#states.dispose();
    this.#finished.dispose();
  }

  #start(target: BranchTarget, isNews: boolean): Promise<void> {
    const key = branchKey(target);
    const controller = new AbortController();
    const done = this.#run(target, isNews, controller.signal).finally(() => {
      if (this.#running.get(key)?.controller === controller) this.#running.delete(key);
    });
    this.#running.set(key, { controller, done });
    return done;
  }

  async #run(target: BranchTarget, caused: boolean, signal: AbortSignal): Promise<void> {
    let wait: number = pace.first;
    let failures = 0;
    let unknown = 0;
    let isNews = caused;
    try {
      while (!signal.aborted) {
        try {
          const state = buildState(await this.#ask(target, signal), this.#clock.now());
          if (signal.aborted) return;
          failures = 0;
          this.#remember(target, state);
          unknown = state.phase === 'unknown' ? unknown + 1 : 0;
          if (!isBuilding(state) && !(isNews && mayGoOn(unknown))) {
            this.#finish({ target, state, isNews });
            return;
          }
          isNews = true;
        } catch (thrown) {
          if (isCancelled(thrown) || signal.aborted) return;
          failures += 1;
          this.#logger.warn('Build state could not be read', {
            branch: target.branchName,
            error: asError(thrown).message,
          });
          if (failures >= pace.failures || isFinal(thrown)) {
            this.#forget(target);
            return;
          }
        }
        await this.#rest(wait, signal);
        wait = Math.min(pace.longest, wait * pace.factor);
      }
    } catch (thrown) {
      if (!isCancelled(thrown)) throw thrown;
    }
  }

  /** Waits for the next request: longer while the window is not focused, but only until it is focused again. */
  async #rest(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#focused?.value !== false) {
      await this.#clock.sleep(ms, signal);
      return;
    }
    const woken = new AbortController();
    const wake = (): void => woken.abort();
    signal.addEventListener('abort', wake, { once: true });
    const listening = this.#focused.onDidChange(wake);
    try {
      await this.#clock.sleep(pace.away, woken.signal);
    } catch (thrown) {
      if (signal.aborted) throw thrown;
    } finally {
      listening.dispose();
      signal.removeEventListener('abort', wake);
    }
  }

  #remember(target: BranchTarget, state: BuildState): void {
    const key = branchKey(target);
    const before = this.#states.value.get(key);
    if (before && isEqual({ ...before, at: 0 }, { ...state, at: 0 })) return;
    this.#states.update((states) => new Map(states).set(key, state));
  }

  /** Drops the state of a build that is no longer followed, which would otherwise be shown as building forever. */
  #forget(target: BranchTarget): void {
    const states = new Map(this.#states.value);
    const known = states.get(branchKey(target));
    if (!known || !isBuilding(known)) return;
    states.delete(branchKey(target));
    this.#states.set(states);
  }

  #finish(finished: BuildFinished): void {
    const { target, state, isNews } = finished;
    this.#logger.info('Build finished', { branch: target.branchName, state: state.phase, isNews });
    this.#finished.fire(finished);
  }
}

/** Whether to request the state again after `unknown` unknown states in a row. */
const mayGoOn = (unknown: number): boolean => unknown > 0 && unknown < pace.unknown;

/** Whether an error is final: a refused key, or a branch or deployment that does not exist. Another request would fail too. */
function isFinal(thrown: unknown): boolean {
  return (['auth', 'forbidden', 'notFound'] as const).some((kind) => isPlatformError(thrown, kind));
}
