import * as v from 'valibot';
import type { Disposable } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import type { StateStore } from './ports.ts';

declare const isOrigin: unique symbol;

/** Scheme, host and port of an address: what a key is bound to. Only `originOf` makes one. */
export type Origin = string & { readonly [isOrigin]: true };

/** The origin of an address; nothing for what has none. */
export function originOf(address: string | undefined): Origin | undefined {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  // Others borrow an origin (`blob:`) or have none.
  return url && ['https:', 'http:'].includes(url.protocol) ? (url.origin as Origin) : undefined;
}

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

  mayReceive({ accountId, tenantUrl }: KeyOwner, address: string): boolean {
    const origin = originOf(address);
    return origin !== undefined && (origin === originOf(tenantUrl) || this.#confirmed(accountId).includes(origin));
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
