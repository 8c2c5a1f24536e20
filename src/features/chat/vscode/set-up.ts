import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { type ChatAddress, chatStreamUrl, parseChatUrl } from '#api/tenant-url.ts';
import type { ChatCredentialKind } from '#chat-core/identity.ts';
import type { AddressBook, ChatEntry, ChatLocation } from '#features/chat/address-book.ts';
import type { ChatWindowDeps } from './deps.ts';
import type { KeyOrigins } from '#shell/key-origins.ts';
import { confirmKeyHost } from '#features/accounts/vscode/index.ts';
import { agentName, type ChatTargets, defaultCredential } from '#features/chat/targets.ts';
import { execute, executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

/** Asks for what the chat still needs. */
export class ChatSetUp {
  readonly #deps: Pick<ChatWindowDeps, 'context'>;
  readonly #book: AddressBook;
  readonly #origins: KeyOrigins;
  readonly #targets: ChatTargets;

  constructor(
    deps: Pick<ChatWindowDeps, 'context'>,
    parts: { readonly book: AddressBook; readonly origins: KeyOrigins; readonly targets: ChatTargets },
  ) {
    this.#deps = deps;
    this.#book = parts.book;
    this.#origins = parts.origins;
    this.#targets = parts.targets;
  }

  /** Asks for one missing setting; `what` is its name in the view. */
  async run(what: string): Promise<void> {
    switch (what) {
      case 'account':
        return execute('modelbench.signIn');
      case 'connection':
        return execute('modelbench.deployments.refresh');
      case 'deployment':
        return execute('modelbench.selectDeployment');
      case 'trust':
        return executeBuiltIn('workbench.trust.manage');
      case 'settings':
        return executeBuiltIn('workbench.action.openSettings', 'modelbench.chat.session');
      case 'credential':
        return this.#askAgain();
      case 'consent':
        return this.#confirmHost();
      case 'address':
        return this.#askAddress();
      default:
        return this.#choose();
    }
  }

  /** Lets the user choose one of the known agents or add another one. */
  async #choose(): Promise<void> {
    const location = this.#location();
    const known = location ? this.#book.entries(location) : [];
    if (!location || known.length === 0) return this.#askAddress();
    const current = this.#book.entry(location);
    const isCurrent = ({ address }: ChatEntry): boolean =>
      current !== undefined && chatStreamUrl(address) === chatStreamUrl(current.address);
    const entries = known.map((entry) => ({
      label: isCurrent(entry) ? text`$(check) ${nameOf(entry.address)}` : textOf(nameOf(entry.address)),
      description: textOf(entry.address.chatUrl),
      run: () => this.#book.choose(location, entry),
    }));
    const picked = await vscode.window.showQuickPick(
      [
        ...entries,
        { label: text`$(add) Another Chat API URL…`, description: text``, run: () => this.#askAddress() },
        { label: text`$(key) Change Credential…`, description: text``, run: () => this.#askAgain() },
        ...(current
          ? [
              {
                label: text`$(trash) Forget This Agent`,
                description: text``,
                run: () => this.#book.forget(location, current),
              },
            ]
          : []),
      ],
      { title: text`Agent of This Deployment`, matchOnDescription: true },
    );
    await picked?.run();
    return undefined;
  }

  async #askAddress(): Promise<void> {
    const location = this.#location();
    if (!location) return;
    const known = this.#book.entry(location);
    const url = await vscode.window.showInputBox({
      title: text`Chat API URL (1/2)`,
      prompt: text`Copy it from the agent settings, or from the API credentials of the deployment.`,
      placeHolder: text`https://ai.….example.com/api/v1/public/ACCOUNT/agents/AGENT/chat/stream-chat-state`,
      value: known ? chatStreamUrl(known.address) : '',
      ignoreFocusOut: true,
      validateInput: (value) => {
        const parsed = parseChatUrl(value);
        return value.trim() === '' || parsed.ok ? undefined : textOf(parsed.error.message);
      },
    });
    const address = url === undefined ? undefined : parseChatUrl(url);
    if (address?.ok) await this.#askCredential(location, address.value);
  }

  /** Asks the user whether the account's key may go to the host of the current address. */
  async #confirmHost(): Promise<void> {
    const context = this.#deps.context.value;
    const entry = context.kind === 'ready' ? this.#targets.entryOf(context) : undefined;
    if (context.kind === 'ready' && entry) await confirmKeyHost(this.#origins, context, entry.address.chatUrl);
  }

  async #askAgain(): Promise<void> {
    const location = this.#location();
    const known = location && this.#book.entry(location);
    if (location && known) await this.#askCredential(location, known.address);
    else await this.#askAddress();
  }

  async #askCredential(location: ChatLocation, address: ChatAddress): Promise<void> {
    const kind = await this.#pickCredential(address);
    if (!kind) return;
    const credential: ChatCredentialKind = kind === 'serviceToken' ? 'serviceToken' : 'apiKey';
    if (kind === 'account') {
      const context = this.#deps.context.value;
      if (context.kind !== 'ready' || !(await confirmKeyHost(this.#origins, context, address.chatUrl))) return;
      await this.#book.set(location, { address, credential });
      return;
    }
    const secret = await vscode.window.showInputBox({
      title: credential === 'apiKey' ? text`API Key for the Chat` : text`Service Token (JWT) for the Chat`,
      prompt: text`Stored in VS Code’s secret storage.`,
      password: true,
      ignoreFocusOut: true,
    });
    if (secret !== undefined && secret.trim() !== '') {
      await this.#book.set(location, { address, credential, secret: secret.trim() });
    }
  }

  /** Asks for the kind of credential. Deployment URLs take service tokens only (docs/chat.md#credentials). */
  async #pickCredential(address: ChatAddress): Promise<'account' | ChatCredentialKind | undefined> {
    if (defaultCredential(address) === 'serviceToken') return 'serviceToken';
    const picked = await vscode.window.showQuickPick(
      [
        {
          label: text`API Key of This Account`,
          detail: text`The key that you signed in with.`,
          kindOf: 'account' as const,
        },
        { label: text`Another API Key…`, detail: text`Used for this deployment only.`, kindOf: 'apiKey' as const },
        {
          label: text`Service Token (JWT)…`,
          detail: text`The token identifies the user; the session settings are ignored.`,
          kindOf: 'serviceToken' as const,
        },
      ],
      { title: text`How Should the Chat Sign In? (2/2)`, ignoreFocusOut: true },
    );
    return picked?.kindOf;
  }

  #location(): ChatLocation | undefined {
    const context = this.#deps.context.value;
    if (context.kind === 'ready') return context;
    void this.run(partOf[context.kind]);
    return undefined;
  }
}

const partOf = { signedOut: 'account', offline: 'connection', noDeployment: 'deployment' } as const;

function nameOf(address: ChatAddress): string {
  const name = agentName(address);
  return address.form === 'agent' ? name : `${name} of deployment ${address.deploymentId}`;
}
