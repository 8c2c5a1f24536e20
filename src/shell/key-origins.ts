import * as v from 'valibot';
import type { Disposable } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import { type Origin, originOf } from '#base/origin.ts';
import type { StateStore } from './ports.ts';

/** An account whose key may be sent. */
export interface KeyOwner {
  readonly accountId: string;
  readonly tenantUrl: string;
}

/**
 * The origins that may receive the key of an account: the one that the key was entered for, and those that the user confirmed for
 * this account.
 */
export class KeyOrigins implements Disposable {
  readonly #state: StateStore;
  readonly #changed = new Emitter<void>();

  constructor(state: StateStore) {
    this.#state = state;
  }

  readonly onDidChange: Event<void> = this.#changed.event;

  mayReceive(owner: KeyOwner, address: string): boolean {
    return this.allowed(owner, address) !== undefined;
  }

  /** Returns the origin of an address if the key of the account may be sent there, otherwise `undefined`. */
  allowed({ accountId, tenantUrl }: KeyOwner, address: string): Origin | undefined {
    const origin = originOf(address);
    const isAllowed =
      origin !== undefined && (origin === originOf(tenantUrl) || this.#confirmed(accountId).includes(origin));
    return isAllowed ? origin : undefined;
  }

  /** Stores the user's confirmation that the key of the account may be sent to the origin of an address. */
  async confirm({ accountId }: KeyOwner, address: string): Promise<void> {
    const origin = originOf(address);
    if (origin === undefined) return;
    await this.#state.set(nameOf(accountId), [...new Set([...this.#confirmed(accountId), origin])]);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #confirmed(accountId: string): readonly string[] {
    const stored = v.safeParse(v.array(v.string()), this.#state.get(nameOf(accountId)));
    return stored.success ? stored.output : [];
  }
}

function nameOf(accountId: string): string {
  return `keyOrigins.${JSON.stringify([accountId])}`;
}
