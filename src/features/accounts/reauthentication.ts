import { type Clock, systemClock } from '#base/clock.ts';
import { SingleFlight } from '#base/async.ts';
import type { Account, Accounts } from './accounts.ts';

/** Asks the user for a new key; resolves when they have entered one or declined. */
export type PromptSignIn = (account: Account) => Promise<void>;

/** How long a call waits for the user, in milliseconds. After that the call fails and the account is marked. */
const promptTimeoutMs = 120_000;

/**
 * Handles calls whose key is refused (401) and cannot be renewed. The calls wait while the user is asked once for a new key, and
 * then continue with it. A user who does not sign in is not asked again for the same key; local changes are not lost.
 */
export class Reauthentication {
  readonly #accounts: Accounts;
  readonly #prompt: PromptSignIn;
  readonly #clock: Clock;
  readonly #asking = new Map<string, SingleFlight<boolean>>();
  /** Accounts that the user was asked about and did not renew. */
  readonly #declined = new Set<string>();

  constructor(options: { readonly accounts: Accounts; readonly prompt: PromptSignIn; readonly clock?: Clock }) {
    this.#accounts = options.accounts;
    this.#prompt = options.prompt;
    this.#clock = options.clock ?? systemClock;
  }

  /** Asks the user for a new key. Resolves to whether the account has one, so that the call can be repeated. Never rejects. */
  ask(account: Account): Promise<boolean> {
    // A call that was in flight during a sign-out has no key any more and needs none.
    if (!this.#accounts.isSignedIn(account.id)) return Promise.resolve(false);
    const flight = this.#asking.get(account.id) ?? new SingleFlight<boolean>();
    this.#asking.set(account.id, flight);
    return flight.run(async () => {
      const isKnown = this.#isRefused(account);
      if (!isKnown) this.#declined.delete(account.id);
      this.#accounts.reportKey(account.id, false);
      if (this.#declined.has(account.id)) return false;
      this.#declined.add(account.id);
      return this.#answered(account);
    });
  }

  /**
   * Waits for the user, for a key from elsewhere (a command, another window) or for the time limit; resolves to whether the
   * account has a new key.
   */
  async #answered(account: Account): Promise<boolean> {
    const over = new AbortController();
    const listening = this.#accounts.refused.onDidChange(() => {
      if (!this.#isRefused(account)) over.abort();
    });
    const ended = (work: Promise<void>): Promise<void> => work.catch(() => undefined);
    try {
      await Promise.race([ended(this.#prompt(account)), ended(this.#clock.sleep(promptTimeoutMs, over.signal))]);
    } finally {
      listening.dispose();
      over.abort();
    }
    return !this.#isRefused(account) && this.#accounts.isSignedIn(account.id);
  }

  #isRefused({ id }: Account): boolean {
    return this.#accounts.refused.value.has(id);
  }
}
