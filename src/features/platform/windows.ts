import * as v from 'valibot';
import type { Disposable } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { isEqual } from '#base/equal.ts';
import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';

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
  /** The name by which users recognize the window: its folder's name. */
  name: v.string(),
  /** Milliseconds since the epoch. */
  at: v.number(),
});
type WindowEntry = v.InferOutput<typeof schema>;

/** The age after which the window of an entry counts as closed, in milliseconds. */
const staleAfter = 150_000;
/** The age after which the entry of a killed window is deleted, in milliseconds. */
const sweepAfter = 24 * 3_600_000;

/** The active dev branches of all windows. Each window publishes its own when it changes and every minute. */
export class Windows implements Disposable {
  readonly #id: string;
  readonly #registry: WindowRegistry;
  readonly #now: () => number;
  readonly #changed = new Emitter<void>();
  #own: Pick<WindowEntry, 'accountId' | 'deploymentId' | 'branchName' | 'name'> | undefined;
  #seen: readonly unknown[] = [];

  constructor(options: { readonly id: string; readonly registry: WindowRegistry; readonly now: () => number }) {
    this.#id = options.id;
    this.#registry = options.registry;
    this.#now = options.now;
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

  /** Publishes this window's entry again, and fires if the other windows have changed since the last check. */
  async beat(): Promise<void> {
    if (this.#own) await this.#registry.put(this.#id, { ...this.#own, id: this.#id, at: this.#now() });
    else await this.#registry.remove(this.#id);
    for (const { id } of this.#others(sweepAfter, Infinity)) await this.#registry.remove(id);
    this.refresh();
  }

  refresh(): void {
    const seen = this.#others().map(({ id, branchName, name }) => [id, branchName, name]);
    if (isEqual(seen, this.#seen)) return;
    this.#seen = seen;
    this.#changed.fire();
  }

  /** Returns the names of the other windows on branches of a deployment, by branch. */
  on({ accountId, deploymentId }: DeploymentTarget): ReadonlyMap<string, readonly string[]> {
    this.#changed.track();
    const found = new Map<string, readonly string[]>();
    for (const entry of this.#others()) {
      if (entry.accountId !== accountId || entry.deploymentId !== deploymentId) continue;
      found.set(entry.branchName, [...(found.get(entry.branchName) ?? []), entry.name]);
    }
    return found;
  }

  dispose(): void {
    void this.#registry.remove(this.#id);
    this.#changed.dispose();
  }

  /** Returns entries of other windows within a range of ages; by default those that are open. */
  #others(from = -Infinity, to = staleAfter): readonly WindowEntry[] {
    const now = this.#now();
    return this.#registry.all().flatMap((entry) => {
      const parsed = v.safeParse(schema, entry);
      if (!parsed.success || parsed.output.id === this.#id) return [];
      const age = now - parsed.output.at;
      return age >= from && age <= to ? [parsed.output] : [];
    });
  }
}
