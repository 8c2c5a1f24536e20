import * as v from 'valibot';
import { type ChatAddress, chatStreamUrl, parseChatUrl } from '#api/tenant-url.ts';
import { Emitter, type Event } from '#base/event.ts';
import type { Disposable } from '#base/disposable.ts';
import type { ChatCredentialKind } from '#chat/identity.ts';
import type { SecretStore, StateStore } from '#features/ports.ts';

/** The deployment of an account. */
export interface ChatPlace {
  readonly accountId: string;
  readonly deploymentId: string;
}

/** What was pasted for a deployment. */
export interface ChatEntry {
  readonly address: ChatAddress;
  readonly credential: ChatCredentialKind;
  /** Whether a credential of its own is kept for it; otherwise the account's API key is used. */
  readonly ownSecret: boolean;
}

const Stored = v.object({
  url: v.string(),
  credential: v.picklist(['apiKey', 'serviceToken']),
  ownSecret: v.boolean(),
});

/** Chat API URLs by account and deployment: addresses in the memento, credentials only in the secret storage. */
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

  entry(place: ChatPlace): ChatEntry | undefined {
    const stored = v.safeParse(Stored, this.#state.get(keyOf(place)));
    if (!stored.success) return undefined;
    const { url, credential, ownSecret } = stored.output;
    const address = parseChatUrl(url);
    return address.ok ? { address: address.value, credential, ownSecret } : undefined;
  }

  /** Keeps an address; with `secret` a credential of its own, without one the account's API key is used. */
  async set(
    place: ChatPlace,
    entry: {
      readonly address: ChatAddress;
      readonly credential: ChatCredentialKind;
      readonly secret?: string | undefined;
    },
  ): Promise<void> {
    const key = keyOf(place);
    if (entry.secret === undefined) await this.#secrets.delete(key);
    else await this.#secrets.set(key, entry.secret);
    const url = chatStreamUrl(entry.address);
    await this.#state.set(key, { url, credential: entry.credential, ownSecret: entry.secret !== undefined });
    this.#changed.fire();
  }

  async secret(place: ChatPlace): Promise<string | undefined> {
    return this.#secrets.get(keyOf(place));
  }

  async forget(place: ChatPlace): Promise<void> {
    await this.#secrets.delete(keyOf(place));
    await this.#state.set(keyOf(place), undefined);
    this.#changed.fire();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }
}

const PREFIX = 'chat.address.';

function keyOf({ accountId, deploymentId }: ChatPlace): string {
  return `${PREFIX}${JSON.stringify([accountId, deploymentId])}`;
}
