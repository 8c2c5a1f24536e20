import type { Logger } from '#base/log.ts';
import { keepAgreed, versionOf, versionsOfPlan } from './contents.ts';
import type { SyncContext } from '#sync/core/context.ts';
import type { Hash } from '#sync/core/hash.ts';
import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';
import type { RemoteListing } from '#sync/core/ports.ts';

interface Init {
  readonly opened: () => Promise<SyncContext>;
  readonly plan: () => Plan | undefined;
  readonly logger: Logger;
  /** Stops storing versions. */
  readonly signal: AbortSignal;
}

/** The known versions on the branch, and their contents. */
export class BranchVersions {
  readonly #init: Init;
  readonly #justSent = new Map<string, Hash>();
  #listing: RemoteListing | undefined;
  #keeping: Promise<void> = Promise.resolve();

  constructor(init: Init) {
    this.#init = init;
  }

  /** Takes a new listing. Versions that both sides turned out to agree on are stored in the background for later merges. */
  listed(context: SyncContext, listing: RemoteListing, adopted: readonly string[]): void {
    this.#listing = listing;
    this.#justSent.clear();
    if (adopted.length === 0) return;
    const { signal, logger } = this.#init;
    this.#keeping = this.#keeping
      .then(() => keepAgreed(context, adopted, listing, signal))
      .catch((error: unknown) => logger.warn('Versions could not be stored', { error: String(error) }));
  }

  /** Records the entries that were just uploaded. */
  sent(entries: readonly PlanEntry[]): void {
    for (const entry of entries) if (entry.kind === 'upload') this.#justSent.set(entry.path, entry.hash);
  }

  /** Returns the hash that the platform has for a path, as far as it is known. */
  hashOf(path: string): Hash | undefined {
    return this.#justSent.get(path) ?? this.#listing?.files.get(path)?.hash;
  }

  /** Resolves to the version that both sides last agreed on. */
  async base(path: string): Promise<Uint8Array | undefined> {
    const { opened, plan } = this.#init;
    const context = await opened();
    const hash = context.state.entries.get(path)?.hash;
    if (hash === undefined) return undefined;
    return this.#listing?.files.get(path)?.hash === hash
      ? versionOf(context, { path, hash }, versionsOfPlan(plan()))
      : context.ports.blobs.get(hash);
  }

  /** Resolves to the platform's current version. */
  async remote(path: string, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    const { opened, plan } = this.#init;
    const context = await opened();
    this.#listing ??= await context.ports.remote.list(signal);
    const hash = this.hashOf(path);
    return hash === undefined ? undefined : versionOf(context, { path, hash }, versionsOfPlan(plan()), signal);
  }

  /** Resolves when no version is being stored any longer. */
  idle(): Promise<void> {
    return this.#keeping;
  }
}
