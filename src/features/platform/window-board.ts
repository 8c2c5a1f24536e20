import * as v from 'valibot';
import type { Disposable } from '#base/disposable.ts';
import { isEqual } from '#base/equal.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { OtherWindow, Windows } from './windows.ts';

/** Storage in which each window of this user on this machine publishes its state for the others. */
export interface WindowRegistry {
  /** Returns all entries, unchecked. */
  all(): readonly unknown[];
  put(id: string, entry: unknown): Promise<void>;
  remove(id: string): Promise<void>;
}

const schema = v.object({
  id: v.string(),
  accountId: v.string(),
  deploymentId: v.string(),
  branchName: v.string(),
  name: v.string(),
  /** Milliseconds since the epoch. */
  at: v.number(),
  /** The process of the window's extensions; older versions did not write it. */
  process: v.optional(
    v.object({
      pid: v.number(),
      boot: v.string(),
      uptime: v.number(),
      host: v.optional(v.string()),
      space: v.optional(v.string()),
      start: v.optional(v.string()),
    }),
  ),
});
type WindowEntry = v.InferOutput<typeof schema>;

/** The process of a window, by which others recognise that it has ended (docs/sync.md#lock-dead). */
export type WindowProcess = NonNullable<WindowEntry['process']>;

interface WindowBoardOptions {
  readonly id: string;
  readonly registry: WindowRegistry;
  readonly now: () => number;
  readonly process: WindowProcess;
  /** Whether a process has surely ended; one of another machine cannot be seen. */
  readonly hasEnded: (process: WindowProcess) => boolean;
  /** Gets the other windows whenever they have changed. */
  readonly windows: Windows;
}

/** The age after which a window counts as closed even if its process cannot be seen, in milliseconds. */
const staleAfter = 150_000;
/** The age after which the entry of a killed window is deleted, in milliseconds. */
const sweepAfter = 24 * 3_600_000;

/** The board on which each window publishes its active dev branch, when it changes and every minute. */
export class WindowBoard implements Disposable {
  readonly #options: WindowBoardOptions;
  #own: Omit<OtherWindow, 'id'> | undefined;
  #seen: readonly OtherWindow[] = [];

  constructor(options: WindowBoardOptions) {
    this.#options = options;
  }

  /** Publishes the active branch of this window; `undefined`: none. */
  async show(target: BranchTarget | undefined, name: string): Promise<void> {
    const own = target && {
      accountId: target.accountId,
      deploymentId: target.deploymentId,
      branchName: target.branchName,
      name,
    };
    if (isEqual(own, this.#own)) return;
    this.#own = own;
    await this.beat();
  }

  /** Publishes this window's entry again, and removes those of windows that have ended. */
  async beat(): Promise<void> {
    const { id, registry, now, process } = this.#options;
    if (this.#own) await registry.put(id, { ...this.#own, id, at: now(), process });
    else await registry.remove(id);
    for (const entry of this.#entries()) if (this.#hasEnded(entry)) await registry.remove(entry.id);
    this.refresh();
  }

  /** Reads which other windows are open. */
  refresh(): void {
    const now = this.#options.now();
    const open = this.#entries().filter((entry) => now - entry.at <= staleAfter && !this.#hasEnded(entry));
    const seen = open.map(({ at: _at, process: _process, ...other }) => other);
    if (isEqual(seen, this.#seen)) return;
    this.#seen = seen;
    this.#options.windows.set(seen);
  }

  dispose(): void {
    void this.#options.registry.remove(this.#options.id);
  }

  /** Whether an entry is not published again: its process has ended, or has been silent for a day. */
  #hasEnded({ at, process }: WindowEntry): boolean {
    const { hasEnded, now } = this.#options;
    return now() - at >= sweepAfter || (process !== undefined && hasEnded(process));
  }

  #entries(): readonly WindowEntry[] {
    const { id, registry } = this.#options;
    return registry.all().flatMap((entry) => {
      const parsed = v.safeParse(schema, entry);
      return parsed.success && parsed.output.id !== id ? [parsed.output] : [];
    });
  }
}
