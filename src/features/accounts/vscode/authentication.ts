import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { textOf } from '#base/user-text.ts';
import { DisposableStore } from '#base/disposable.ts';
import { CancelledError } from '#base/async.ts';
import type { Account, Accounts } from '#features/accounts/accounts.ts';
import { authenticationId } from '#shell/view-ids.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';

/** The accounts and the dialogs for signing in. */
interface AuthenticationDeps {
  readonly accounts: Accounts;
  readonly signIn: () => Promise<Account | undefined>;
}

type SessionsChanged = vscode.AuthenticationSessionsChange;

/** Shows the accounts in VS Code's Accounts menu, where they can be signed in and out as well. */
export function authenticationContribution(deps: AuthenticationDeps): Contribution {
  return {
    id: 'authentication',
    register: (store) => {
      const provider = store.add(new Provider(deps));
      store.add(
        vscode.authentication.registerAuthenticationProvider(authenticationId, 'Modelbench', provider, {
          supportsMultipleAccounts: true,
        }),
      );
    },
  };
}

class Provider implements vscode.AuthenticationProvider {
  readonly #deps: AuthenticationDeps;
  readonly #changed = new vscode.EventEmitter<SessionsChanged>();
  readonly #owned = new DisposableStore();
  #known: readonly Account[];

  constructor(deps: AuthenticationDeps) {
    this.#deps = deps;
    this.#known = deps.accounts.all.value;
    this.#owned.add(this.#changed);
    this.#owned.add(deps.accounts.all.onDidChange((accounts) => void this.#announce(accounts)));
  }

  get onDidChangeSessions(): vscode.Event<SessionsChanged> {
    return this.#changed.event;
  }

  async getSessions(
    _scopes: readonly string[] | undefined,
    options?: vscode.AuthenticationProviderSessionOptions,
  ): Promise<vscode.AuthenticationSession[]> {
    const wanted = this.#deps.accounts.all.value.filter(
      (account) => options?.account === undefined || account.id === options.account.id,
    );
    const sessions = await Promise.all(wanted.map((account) => this.#session(account)));
    return sessions.filter((session) => session !== undefined);
  }

  async createSession(): Promise<vscode.AuthenticationSession> {
    const account = await this.#deps.signIn();
    const session = account && (await this.#session(account));
    if (!session) throw new CancelledError();
    return session;
  }

  async removeSession(id: string): Promise<void> {
    await this.#deps.accounts.remove(id);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #session(account: Account): Promise<vscode.AuthenticationSession | undefined> {
    const accessToken = await this.#deps.accounts.key(account);
    if (accessToken === undefined) return undefined;
    return { id: account.id, accessToken, account: { id: account.id, label: textOf(account.label) }, scopes: [] };
  }

  async #announce(accounts: readonly Account[]): Promise<void> {
    const before = this.#known;
    this.#known = accounts;
    const added = accounts.filter(({ id }) => !before.some((other) => other.id === id));
    const removed = before.filter(({ id }) => !accounts.some((other) => other.id === id));
    const sessions = await Promise.all(added.map((account) => this.#session(account)));
    this.#changed.fire({
      added: sessions.filter((session) => session !== undefined),
      // A removed session has no token any more.
      removed: removed.map(({ id, label }) => ({
        id,
        accessToken: '',
        account: { id, label: textOf(label) },
        scopes: [],
      })),
      changed: [],
    });
  }
}
