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
 * Where the key of an account may go: to the origin that it was entered for, and to the origins that the user confirmed
 * for this account, each once.
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

  /** The origin of an address where the key of an account may go to it. */
  allowed({ accountId, tenantUrl }: KeyOwner, address: string): Origin | undefined {
    const origin = originOf(address);
    const isAllowed =
      origin !== undefined && (origin === originOf(tenantUrl) || this.#confirmed(accountId).includes(origin));
    return isAllowed ? origin : undefined;
  }

  /** Keeps that the user confirmed the origin of an address for the key of an account. */
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
