import type { Tokens } from '#api/resources/device-sign-in.ts';
import * as v from 'valibot';
import { Sequencer, SingleFlight } from '#base/async.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { isEqual } from '#base/equal.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import { parsedJson } from '#base/json.ts';
import type { SecretStore, StateStore } from '#shell/ports.ts';

/** A sign-in: one key at one tenant. Its id does not reveal the key. */
export interface Account {
  readonly id: string;
  /** The tenant's base URL without a trailing slash. */
  readonly tenantUrl: string;
  /** The name the user gave it; by default the tenant's host. */
  readonly label: string;
  /** `environment`: the key comes from `MODELBENCH_API_KEY` and is never stored. */
  readonly source: 'stored' | 'environment';
}

export interface EnvironmentKey {
  readonly tenantUrl: string;
  readonly key: string;
}

/** Gets new tokens for a refresh token; rejects when the platform refuses. */
export type RefreshTokens = (refreshToken: string) => Promise<Tokens>;

/** How long before its expiry a token is renewed, in milliseconds, so that it does not expire during a request. */
const renewAhead = 60_000;

const tokensSchema = v.object({
  accessToken: v.string(),
  refreshToken: v.optional(v.string()),
  expiresAt: v.optional(v.number()),
});

const stateKey = 'accounts';
const secretName = (id: string): string => `modelbench.key.${id}`;
const accountSchema = v.object({ id: v.string(), tenantUrl: v.string(), label: v.string() });

/**
 * The sign-ins of this user. The list, which has no secrets, is in the state store; each key is in the secret store under its
 * account's id. An account from the environment exists as long as the variable does.
 */
export class Accounts implements Disposable {
  readonly #secrets: SecretStore;
  readonly #state: StateStore;
  readonly #environment: EnvironmentKey | undefined;
  readonly #accounts: Store<readonly Account[]>;
  /** Accounts whose current key was refused (401). */
  readonly #refused = new Store<ReadonlySet<string>>(new Set());
  /** Accounts whose secrets are being deleted. */
  readonly #leaving = new Set<string>();
  readonly #writes = new Sequencer();
  readonly #renewals = new SingleFlight<boolean>();
  readonly #owned = new DisposableStore();

  constructor(options: { secrets: SecretStore; state: StateStore; environment?: EnvironmentKey | undefined }) {
    this.#secrets = options.secrets;
    this.#state = options.state;
    this.#environment = options.environment;
    this.#accounts = new Store<readonly Account[]>(this.#read(), isEqual);
    this.#owned.add(this.#secrets.onDidChange(() => this.reload()));
  }

  get all(): ReadonlyStore<readonly Account[]> {
    return this.#accounts;
  }

  get refused(): ReadonlyStore<ReadonlySet<string>> {
    return this.#refused;
  }

  get(id: string): Account | undefined {
    return this.#accounts.value.find((account) => account.id === id);
  }

  /** Whether this account is stored and is not being signed out of. */
  isSignedIn(id: string): boolean {
    return this.get(id) !== undefined && !this.#leaving.has(id);
  }

  /** Returns the first account of a tenant, however the URL is written. */
  ofTenant(tenantUrl: string): Account | undefined {
    const wanted = comparableUrl(tenantUrl);
    return this.#accounts.value.find((account) => comparableUrl(account.tenantUrl) === wanted);
  }

  /** Resolves to the key or access token itself. Only the client asks for it, right before a request. */
  async key(account: Account): Promise<string | undefined> {
    if (account.source === 'environment') return this.#environment?.key;
    const secret = await this.#secrets.get(secretName(account.id));
    return readTokens(secret)?.accessToken ?? secret;
  }

  /** Renews the tokens of a browser sign-in that are about to expire. If the renewal fails, the old tokens stay. */
  async keepFresh(account: Account, refresh: RefreshTokens, now: number): Promise<void> {
    const tokens = readTokens(await this.#secrets.get(secretName(account.id)));
    if (tokens?.expiresAt !== undefined && tokens.expiresAt - now < renewAhead) await this.renew(account, refresh);
  }

  /** Gets new tokens; resolves to `false` if the account has none to renew or the platform refuses. */
  renew(account: Account, refresh: RefreshTokens): Promise<boolean> {
    return this.#renewals.run(async () => {
      const before = readTokens(await this.#secrets.get(secretName(account.id)));
      if (before?.refreshToken === undefined) return false;
      try {
        await this.#secrets.set(secretName(account.id), JSON.stringify(await refresh(before.refreshToken)));
        return true;
      } catch {
        return false;
      }
    });
  }

  /** Stores a sign-in; one with the same tenant and label gets the new key. */
  add(tenantUrl: string, key: string, label: string = hostOf(tenantUrl)): Promise<Account> {
    return this.#writes.queue(async () => {
      const account: Account = { id: accountId(tenantUrl, label), tenantUrl, label, source: 'stored' };
      // The key comes first: an account without a key could not work.
      await this.#secrets.set(secretName(account.id), key);
      const others = this.#stored().filter((other) => other.id !== account.id);
      await this.#write([...others, account]);
      this.#setRefused(account.id, false);
      return account;
    });
  }

  /** Stores a browser sign-in. */
  addTokens(tenantUrl: string, tokens: Tokens, label?: string): Promise<Account> {
    return this.add(tenantUrl, JSON.stringify(tokens), label);
  }

  /**
   * Signs out: deletes the account and all of its secrets, including those of its agents and environments. An account from the
   * environment stays until the variable is gone.
   */
  remove(id: string): Promise<void> {
    return this.#writes.queue(async () => {
      this.#leaving.add(id);
      try {
        const names = (await this.#secrets.names()).filter((name) => isSecretOf(name, id));
        for (const name of new Set([secretName(id), ...names])) await this.#secrets.delete(name);
        await this.#write(this.#stored().filter((account) => account.id !== id));
        this.#setRefused(id, false);
      } finally {
        this.#leaving.delete(id);
      }
    });
  }

  /** Records whether the platform accepted the account's key. */
  reportKey(id: string, accepted: boolean): void {
    this.#setRefused(id, !accepted);
  }

  /** Reads the list again, because another window may have signed in or out. */
  reload(): void {
    this.#accounts.set(this.#read());
  }

  dispose(): void {
    this.#owned.dispose();
    this.#accounts.dispose();
    this.#refused.dispose();
  }

  #setRefused(id: string, refused: boolean): void {
    if (this.#refused.value.has(id) === refused) return;
    this.#refused.update((ids) => new Set(refused ? [...ids, id] : [...ids].filter((other) => other !== id)));
  }

  async #write(accounts: readonly Account[]): Promise<void> {
    await this.#state.set(
      stateKey,
      accounts.map(({ id, tenantUrl, label }) => ({ id, tenantUrl, label })),
    );
    this.reload();
  }

  #stored(): readonly Account[] {
    const parsed = v.safeParse(v.array(accountSchema), this.#state.get(stateKey));
    return parsed.success ? parsed.output.map((account) => ({ ...account, source: 'stored' })) : [];
  }

  #read(): readonly Account[] {
    const stored = this.#stored();
    if (!this.#environment) return stored;
    const { tenantUrl } = this.#environment;
    // A stored sign-in at the same tenant is the more deliberate choice.
    if (stored.some((account) => comparableUrl(account.tenantUrl) === comparableUrl(tenantUrl))) return stored;
    return [...stored, { id: 'environment', tenantUrl, label: hostOf(tenantUrl), source: 'environment' }];
  }
}

/** Reads the tokens of a browser sign-in, which are stored as JSON; `undefined` if the secret is a plain key. */
function readTokens(secret: string | undefined): v.InferOutput<typeof tokensSchema> | undefined {
  const parsed = v.safeParse(tokensSchema, secret?.startsWith('{') ? parsedJson(secret) : undefined);
  return parsed.success ? parsed.output : undefined;
}

/** Checks whether a secret belongs to an account. Secrets other than the key itself are named `<what>.["<account>", …]`. */
function isSecretOf(name: string, accountId: string): boolean {
  const parts = parsedJson(name.slice(name.indexOf('[')));
  return Array.isArray(parts) && parts[0] === accountId;
}

/** Normalizes a URL so that URLs of one tenant compare equal, whatever their case or trailing slash. */
export function comparableUrl(url: string): string {
  return url
    .trim()
    .toLowerCase()
    .replace(/(?<!\/)\/+$/, '');
}

/** Returns the host of a tenant’s URL for display; text that is not a URL is returned unchanged. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function accountId(tenantUrl: string, label: string): string {
  return label === hostOf(tenantUrl) ? comparableUrl(tenantUrl) : `${comparableUrl(tenantUrl)}#${label.toLowerCase()}`;
}
