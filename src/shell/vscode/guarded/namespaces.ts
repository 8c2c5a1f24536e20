import * as raw from 'vscode';
import type { UserText } from '#base/user-text.ts';

/** VS Code's `env` without `openExternal`: addresses are opened by `openAddress`, which asks about foreign ones. */
export const env = raw.env as unknown as Omit<typeof raw.env, 'openExternal'>;

export interface SourceControlResourceState extends Omit<raw.SourceControlResourceState, 'decorations'> {
  readonly decorations?: Omit<raw.SourceControlResourceDecorations, 'tooltip'> & { readonly tooltip?: UserText };
}

export interface SourceControlResourceGroup extends Omit<raw.SourceControlResourceGroup, 'label' | 'resourceStates'> {
  label: UserText;
  resourceStates: SourceControlResourceState[];
}

interface StatusBarCommand extends Omit<raw.Command, 'title' | 'tooltip'> {
  title: UserText;
  tooltip?: UserText | undefined;
}

export interface SourceControl extends Omit<
  raw.SourceControl,
  'inputBox' | 'statusBarCommands' | 'createResourceGroup'
> {
  readonly inputBox: Omit<raw.SourceControlInputBox, 'placeholder'> & { placeholder: UserText };
  statusBarCommands?: StatusBarCommand[];
  createResourceGroup(id: string, label: UserText): SourceControlResourceGroup;
}

export const scm = raw.scm as unknown as {
  createSourceControl(id: string, label: UserText, rootUri?: raw.Uri): SourceControl;
};

export interface AuthenticationSession extends Omit<raw.AuthenticationSession, 'account'> {
  readonly account: { readonly id: string; readonly label: UserText };
}

export interface AuthenticationSessionsChange {
  readonly added: readonly AuthenticationSession[] | undefined;
  readonly removed: readonly AuthenticationSession[] | undefined;
  readonly changed: readonly AuthenticationSession[] | undefined;
}

export interface AuthenticationProvider {
  readonly onDidChangeSessions: raw.Event<AuthenticationSessionsChange>;
  getSessions(
    scopes: readonly string[] | undefined,
    options?: raw.AuthenticationProviderSessionOptions,
  ): Thenable<AuthenticationSession[]>;
  createSession(scopes: readonly string[]): Thenable<AuthenticationSession>;
  removeSession(sessionId: string): Thenable<void>;
}

export const authentication = raw.authentication as unknown as {
  registerAuthenticationProvider(
    id: string,
    label: string,
    provider: AuthenticationProvider,
    options?: raw.AuthenticationProviderOptions,
  ): raw.Disposable;
};

interface PreparedInvocation {
  readonly invocationMessage?: raw.MarkdownString;
  readonly confirmationMessages?: { readonly title: UserText; readonly message: raw.MarkdownString };
}

/** VS Code renders the confirmation of a tool as Markdown, with links. */
export interface LanguageModelTool<T> extends Omit<raw.LanguageModelTool<T>, 'prepareInvocation'> {
  prepareInvocation?(
    options: raw.LanguageModelToolInvocationPrepareOptions<T>,
  ): PreparedInvocation | Promise<PreparedInvocation>;
}

export const lm = raw.lm as unknown as {
  registerTool<T>(name: string, tool: LanguageModelTool<T>): raw.Disposable;
  registerMcpServerDefinitionProvider(id: string, provider: raw.McpServerDefinitionProvider): raw.Disposable;
};

export interface LanguageStatusItem extends Omit<raw.LanguageStatusItem, 'name' | 'text' | 'detail' | 'command'> {
  name: UserText;
  text: UserText;
  detail: UserText;
  command: StatusBarCommand | undefined;
}

/** Functions that show text and that the extension does not use: give them a safe signature before using one. */
type Unused = 'createLanguageStatusItem' | 'registerHoverProvider' | 'registerInlayHintsProvider';

/** VS Code draws links and icons in the texts of a language status item. */
export const languages = raw.languages as unknown as Omit<typeof raw.languages, Unused> & {
  createLanguageStatusItem(id: string, selector: raw.DocumentSelector): LanguageStatusItem;
};
