import { type Client, type ClientOptions, createClient } from '#api/client.ts';
import type { Credential } from '#api/credential.ts';
import { type ChatAddress, chatStreamUrl, parseChatUrl } from '#api/tenant-url.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Event } from '#base/event.ts';
import type { Logger } from '#base/log.ts';
import { originOf } from '#base/origin.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import { httpTransport } from '#chat-core/http-transport.ts';
import { type ChatCredentialKind, sessionFor } from '#chat-core/identity.ts';
import type { MissingPart, TargetState } from '#chat-core/ports.ts';
import { hostOf } from '#features/accounts/index.ts';
import type { KeyOrigins } from '#shell/key-origins.ts';
import type { StateStore } from '#shell/ports.ts';
import type { AddressBook, ChatEntry } from '#features/chat/address-book.ts';
import type { ChatContext, ChatSettings } from '#features/chat/chat-context.ts';

type ReadyContext = Extract<ChatContext, { readonly kind: 'ready' }>;

/** What the window works on, and how the user has set up the chat. */
export interface ChatWindow {
  readonly context: ReadonlyStore<ChatContext>;
  readonly isTrusted: ReadonlyStore<boolean>;
  readonly settings: () => ChatSettings;
  readonly onDidChangeSettings: Event<void>;
}

/** Whom keys may go to, and where they are. */
export interface ChatKeys {
  readonly book: AddressBook;
  readonly origins: KeyOrigins;
  /** The account's own API key. */
  readonly apiKey: (accountId: string) => Promise<string | undefined>;
  /** Outlives windows: who this user is to the agent. */
  readonly state: StateStore;
}

/** How requests are sent. */
export interface ChatWire {
  readonly logger: Logger;
  readonly requests: Pick<ClientOptions, 'userAgent' | 'proxyOf' | 'fetch'>;
}

/** Whom the chat speaks to, derived from what the window works on and what was pasted for it. */
export class ChatTargets implements Disposable {
  readonly #window: ChatWindow;
  readonly #keys: ChatKeys;
  readonly #wire: ChatWire;
  readonly #store = new DisposableStore();
  readonly #state: Store<TargetState>;

  constructor(window: ChatWindow, keys: ChatKeys, wire: ChatWire) {
    this.#window = window;
    this.#keys = keys;
    this.#wire = wire;
    this.#state = this.#store.add(new Store(this.#derive()));
    const refresh = (): void => this.#state.set(this.#derive());
    this.#store.add(window.context.onDidChange(refresh));
    this.#store.add(window.isTrusted.onDidChange(refresh));
    this.#store.add(window.onDidChangeSettings(refresh));
    this.#store.add(keys.book.onDidChange(refresh));
    this.#store.add(keys.origins.onDidChange(refresh));
  }

  get state(): ReadonlyStore<TargetState> {
    return this.#state;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #derive(): TargetState {
    const { context, isTrusted } = this.#window;
    if (!isTrusted.value) {
      return missing('trust', 'This window is in Restricted Mode: nothing is sent to the platform.');
    }
    switch (context.value.kind) {
      case 'signedOut':
        return missing('account', 'Sign in to a tenant first.');
      case 'offline':
        return missing('connection', 'The tenant cannot be reached.');
      case 'noDeployment':
        return missing('deployment', 'Choose the deployment whose data you want to ask about.');
      default:
        return this.#ready(context.value);
    }
  }

  #ready(context: ReadyContext): TargetState {
    const entry = this.entryOf(context);
    if (!entry) {
      return missing(
        'address',
        `Paste the Chat API URL of ${context.deploymentName}. The platform shows it in the agent's settings and in the deployment's API credentials.`,
      );
    }
    // A key that was entered for this address may go there; the account's own key may not go everywhere.
    if (!entry.ownSecret && !this.#keys.origins.mayReceive(context, entry.address.chatUrl)) {
      return missing(
        'consent',
        `The chat of ${context.deploymentName} is on ${hostOf(entry.address.chatUrl)}. Confirm this host before the key of ${hostOf(context.tenantUrl)} is sent there.`,
      );
    }
    const { settings } = this.#window;
    const { externalId, internalId, session: more } = settings();
    const user = { externalId: externalId === '' ? this.#ownId() : externalId, internalId, more };
    const session = sessionFor(entry.address, entry.credential, user);
    if (!session.ok) return missing(session.error.what, session.error.message);
    const transport = httpTransport({
      client: this.#client(context, entry),
      address: entry.address,
      session: session.value,
      logger: this.#wire.logger,
    });
    const scope = `${context.accountId} ${chatStreamUrl(entry.address)}`;
    return {
      kind: 'ready',
      target: {
        scope,
        label: context.deploymentName,
        agent: agentName(entry.address),
        branch: context.branch,
        transport,
      },
    };
  }

  /** What was pasted for the deployment, else the address of the user's settings. */
  entryOf(context: ReadyContext): ChatEntry | undefined {
    const own = this.#keys.book.entry(context);
    if (own) return own;
    const general = parseChatUrl(this.#window.settings().url);
    // An address of another deployment would answer about its data and its branches.
    const isElsewhere =
      general.ok && general.value.form === 'deployment' && general.value.deploymentId !== context.deploymentId;
    return general.ok && !isElsewhere
      ? { address: general.value, credential: defaultCredential(general.value), ownSecret: false }
      : undefined;
  }

  #client(context: ReadyContext, entry: ChatEntry): Client {
    const { logger, requests } = this.#wire;
    return createClient({
      baseUrl: context.tenantUrl,
      chatUrl: entry.address.chatUrl,
      credential: () => undefined,
      chatCredential: () => this.#credential(context, entry),
      logger,
      ...requests,
    });
  }

  /** Read at each request: a key that was changed meanwhile counts at once. */
  async #credential(context: ReadyContext, entry: ChatEntry): Promise<Credential | undefined> {
    const { book, apiKey, origins } = this.#keys;
    const { chatUrl } = entry.address;
    const token = entry.ownSecret ? await book.secret(context, entry) : await apiKey(context.accountId);
    if (token === undefined) return undefined;
    // What was entered for this address may go there; the account's own key only where the user let it.
    const origin = entry.ownSecret ? originOf(chatUrl) : origins.allowed(context, chatUrl);
    return entry.credential === 'apiKey'
      ? { kind: 'apiKey', token, origin }
      : { kind: 'serviceToken', token, origin, header: this.#window.settings().serviceTokenHeader };
  }

  /** Who this user is to the agent when no setting says so: made up once, kept on this machine. */
  #ownId(): string {
    const { state } = this.#keys;
    const known = state.get(OWN_ID_KEY);
    if (typeof known === 'string') return known;
    const made = `modelbench-${crypto.randomUUID()}`;
    void state.set(OWN_ID_KEY, made);
    return made;
  }
}

const OWN_ID_KEY = 'chat.externalId';

/** What the user knows an agent by: the platform gives addresses, but no names. */
export function agentName(address: ChatAddress): string {
  return address.form === 'agent' ? `Agent ${address.agentId}` : 'Default agent';
}

/** Deployment URLs take service tokens only (docs/chat.md#credentials). */
export function defaultCredential(address: ChatAddress): ChatCredentialKind {
  return address.form === 'deployment' ? 'serviceToken' : 'apiKey';
}

function missing(what: MissingPart, message: string): TargetState {
  return { kind: 'missing', what, message };
}
