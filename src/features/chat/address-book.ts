import { deploymentKey } from '#shell/targets.ts';
import * as v from 'valibot';
import { type ChatAddress, chatStreamUrl, parseChatUrl } from '#api/tenant-url.ts';
import { Emitter, type Event } from '#base/event.ts';
import type { Disposable } from '#base/disposable.ts';
import type { ChatCredentialKind } from '#chat-core/identity.ts';
import type { SecretStore, StateStore } from '#shell/ports.ts';

/** A deployment and the account it belongs to. */
export interface ChatLocation {
  readonly accountId: string;
  readonly deploymentId: string;
}

/** A Chat API URL that the user entered for a deployment. */
export interface ChatEntry {
  readonly address: ChatAddress;
  readonly credential: ChatCredentialKind;
  /** Whether the URL has its own credential; otherwise the account's API key is used. */
  readonly ownSecret: boolean;
}

const Stored = v.object({
  /** URL of the chosen entry. */
  current: v.string(),
  entries: v.array(
    v.object({ url: v.string(), credential: v.picklist(['apiKey', 'serviceToken']), ownSecret: v.boolean() }),
  ),
});
type Stored = v.InferOutput<typeof Stored>;

/**
 * Chat API URLs by account and deployment, one of them chosen, because several agents may serve one deployment. URLs are stored
 * in the memento, credentials only in the secret storage.
 */
export class AddressBook implements Disposable {
  readonly #state: StateStore;
  readonly #secrets: SecretStore;
  readonly #changed = new Emitter<void>();
  readonly #listening: Disposable;

  constructor(state: StateStore, secrets: SecretStore) {
    this.#state = state;
    this.#secrets = secrets;
    this.#listening = secrets.onDidChange((key) => {
      if (key.startsWith(PREFIX)) this.#changed.fire();
    });
  }

  readonly onDidChange: Event<void> = this.#changed.event;

  /** Returns the chosen entry of a deployment. */
  entry(location: ChatLocation): ChatEntry | undefined {
    const stored = this.#read(location);
    const found = stored?.entries.find(({ url }) => url === stored.current);
    return found && parsed(found)[0];
  }

  /** Returns all entries of a deployment. */
  entries(location: ChatLocation): readonly ChatEntry[] {
    return this.#read(location)?.entries.flatMap(parsed) ?? [];
  }

  /** Stores an address and chooses it; with `secret` it gets its own credential, otherwise the account's API key is used. */
  async set(
    location: ChatLocation,
    entry: {
      readonly address: ChatAddress;
      readonly credential: ChatCredentialKind;
      readonly secret?: string | undefined;
    },
  ): Promise<void> {
    const url = chatStreamUrl(entry.address);
    const key = secretKey(location, url);
    if (entry.secret === undefined) await this.#secrets.delete(key);
    else await this.#secrets.set(key, entry.secret);
    const others = this.#read(location)?.entries.filter((known) => known.url !== url) ?? [];
    const own = { url, credential: entry.credential, ownSecret: entry.secret !== undefined };
    await this.#write(location, { current: url, entries: [...others, own] });
  }

  /** Chooses a stored entry. */
  async choose(location: ChatLocation, { address }: ChatEntry): Promise<void> {
    const stored = this.#read(location);
    if (stored) await this.#write(location, { ...stored, current: chatStreamUrl(address) });
  }

  /** Resolves to an address's own credential. */
  async secret(location: ChatLocation, { address }: ChatEntry): Promise<string | undefined> {
    return this.#secrets.get(secretKey(location, chatStreamUrl(address)));
  }

  /** Removes an address and its credential; the first remaining entry becomes the chosen one. */
  async forget(location: ChatLocation, { address }: ChatEntry): Promise<void> {
    const url = chatStreamUrl(address);
    await this.#secrets.delete(secretKey(location, url));
    const entries = this.#read(location)?.entries.filter((known) => known.url !== url) ?? [];
    await this.#write(location, { current: entries[0]?.url ?? '', entries });
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }

  #read(location: ChatLocation): Stored | undefined {
    const stored = v.safeParse(Stored, this.#state.get(keyOf(location)));
    return stored.success ? stored.output : undefined;
  }

  async #write(location: ChatLocation, stored: Stored): Promise<void> {
    await this.#state.set(keyOf(location), stored);
    this.#changed.fire();
  }
}

const PREFIX = 'chat.address.';

function keyOf(location: ChatLocation): string {
  return `${PREFIX}${deploymentKey(location)}`;
}

function secretKey({ accountId, deploymentId }: ChatLocation, url: string): string {
  return `${PREFIX}${JSON.stringify([accountId, deploymentId, url])}`;
}

/** Returns a stored entry, or nothing if its address can no longer be parsed. */
function parsed({ url, credential, ownSecret }: Stored['entries'][number]): ChatEntry[] {
  const address = parseChatUrl(url);
  return address.ok ? [{ address: address.value, credential, ownSecret }] : [];
}
