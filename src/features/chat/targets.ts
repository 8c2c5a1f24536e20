import { type Client, type ClientOptions, createClient } from '#api/client/client.ts';
import type { Credential } from '#api/client/credential.ts';
import { type ChatAddress, chatStreamUrl, parseChatUrl } from '#api/tenant-url.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Event } from '#base/event.ts';
import type { Logger } from '#base/log.ts';
import { originOf } from '#base/origin.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import { httpTransport } from '#chat-core/http-transport.ts';
import { chatScope } from '#chat-core/scope.ts';
import { type ChatCredentialKind, sessionFor } from '#chat-core/identity.ts';
import type { MissingPart, TargetState } from '#chat-core/ports.ts';
import { hostOf } from '#features/accounts/index.ts';
import type { KeyOrigins } from '#shell/key-origins.ts';
import type { StateStore } from '#shell/ports.ts';
import type { AddressBook, ChatEntry } from '#features/chat/address-book.ts';
import type { ChatContext, ChatSettings } from '#features/chat/chat-context.ts';

type ReadyContext = Extract<ChatContext, { readonly kind: 'ready' }>;

/** The state of the window, and the user's settings of the chat. */
export interface ChatWindow {
  readonly context: ReadonlyStore<ChatContext>;
  readonly isTrusted: ReadonlyStore<boolean>;
  readonly settings: () => ChatSettings;
  readonly onDidChangeSettings: Event<void>;
}

/** The stored keys, and the hosts that may receive them. */
export interface ChatKeys {
  readonly book: AddressBook;
  readonly origins: KeyOrigins;
  /** Resolves to the account's own API key. */
  readonly apiKey: (accountId: string) => Promise<string | undefined>;
  /** Shared by windows and sessions: identifies this user to the agent. */
  readonly state: StateStore;
}

/** How requests are sent. */
export interface ChatWire {
  readonly logger: Logger;
  readonly requests: Pick<ClientOptions, 'userAgent' | 'proxyOf' | 'fetch'>;
}

/** The agent that the chat talks to, derived from the state of the window and from the addresses that the user entered. */
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
    // A key that was entered for this address may go there; the account's own key may only go to confirmed hosts.
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
    const scope = chatScope(context.accountId, chatStreamUrl(entry.address));
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

  /** Returns the entry of the deployment, or one for the address in the user's settings. */
  entryOf(context: ReadyContext): ChatEntry | undefined {
    const own = this.#keys.book.entry(context);
    if (own) return own;
    const general = parseChatUrl(this.#window.settings().url);
    // An address of another deployment would answer about that deployment's data and branches.
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

  /** Resolves to the credential; read at each request, so that a changed key takes effect at once. */
  async #credential(context: ReadyContext, entry: ChatEntry): Promise<Credential | undefined> {
    const { book, apiKey, origins } = this.#keys;
    const { chatUrl } = entry.address;
    const token = entry.ownSecret ? await book.secret(context, entry) : await apiKey(context.accountId);
    if (token === undefined) return undefined;
    // A key that was entered for this address may go there; the account's own key only if the user has allowed it.
    const origin = entry.ownSecret ? originOf(chatUrl) : origins.allowed(context, chatUrl);
    return entry.credential === 'apiKey'
      ? { kind: 'apiKey', token, origin }
      : { kind: 'serviceToken', token, origin, header: this.#window.settings().serviceTokenHeader };
  }

  /** Returns the id by which the agent knows this user when no setting has one: generated once, stored on this machine. */
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

/** Returns the name by which the user knows an agent: the platform provides addresses, but no names. */
export function agentName(address: ChatAddress): string {
  return address.form === 'agent' ? `Agent ${address.agentId}` : 'Default agent';
}

/** Returns the kind of credential to assume: deployment URLs take service tokens only (docs/chat.md#credentials). */
export function defaultCredential(address: ChatAddress): ChatCredentialKind {
  return address.form === 'deployment' ? 'serviceToken' : 'apiKey';
}

function missing(what: MissingPart, message: string): TargetState {
  return { kind: 'missing', what, message };
}
