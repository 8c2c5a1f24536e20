import * as raw from 'vscode';
import type { UserText } from '#base/user-text.ts';
import { questions } from './follow-up.ts';
import type { InputBox, InputBoxOptions, QuickPick, QuickPickItem, ShowQuickPick } from './inputs.ts';

/** A literal in our own source, or text that was made safe: a template with values is neither. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- whether all objects satisfy the type is the question
type Shown<T extends string> = T extends UserText ? T : NonNullable<unknown> extends Record<T, 1> ? never : T;

interface MessageOptions extends Omit<raw.MessageOptions, 'detail'> {
  readonly detail?: UserText | undefined;
}

/** VS Code draws `[label](command:…)` in a message as a link that runs the command. */
interface ShowMessage {
  <M extends string, B extends string>(
    message: M & Shown<M>,
    ...buttons: readonly (B & Shown<B>)[]
  ): Thenable<B | undefined>;
  <M extends string, B extends string>(
    message: M & Shown<M>,
    options: MessageOptions,
    ...buttons: readonly (B & Shown<B>)[]
  ): Thenable<B | undefined>;
}

interface SetStatusBarMessage {
  <T extends string>(message: T & Shown<T>, hideAfterTimeout: number): raw.Disposable;
  <T extends string>(message: T & Shown<T>, hideWhenDone?: Thenable<unknown>): raw.Disposable;
}

export type Progress = raw.Progress<{ readonly message?: UserText | undefined; readonly increment?: number }>;

interface ProgressOptions extends Omit<raw.ProgressOptions, 'title'> {
  readonly title?: UserText | undefined;
}

export interface StatusBarItem extends Omit<raw.StatusBarItem, 'name' | 'text' | 'tooltip'> {
  name: UserText | undefined;
  text: UserText;
  tooltip: UserText | undefined;
}

interface ViewBadge extends Omit<raw.ViewBadge, 'tooltip'> {
  readonly tooltip: UserText;
}

interface ViewTexts {
  title?: UserText;
  description?: UserText;
  badge?: ViewBadge | undefined;
}

export interface TreeView<T> extends Omit<raw.TreeView<T>, 'message' | keyof ViewTexts>, ViewTexts {
  message?: UserText;
}

export interface WebviewView extends Omit<raw.WebviewView, keyof ViewTexts>, ViewTexts {}

export interface WebviewPanel extends Omit<raw.WebviewPanel, 'title'> {
  title: UserText;
}

interface WebviewPanelSerializer {
  deserializeWebviewPanel(panel: WebviewPanel, state: unknown): Thenable<void>;
}

interface GuardedWindow {
  readonly showErrorMessage: ShowMessage;
  readonly showWarningMessage: ShowMessage;
  readonly showInformationMessage: ShowMessage;
  readonly showQuickPick: ShowQuickPick;
  createQuickPick<T extends QuickPickItem>(): QuickPick<T>;
  showInputBox(options?: InputBoxOptions, token?: raw.CancellationToken): Thenable<string | undefined>;
  createInputBox(): InputBox;
  readonly setStatusBarMessage: SetStatusBarMessage;
  createStatusBarItem(id: string, alignment?: raw.StatusBarAlignment, priority?: number): StatusBarItem;
  withProgress<R>(
    options: ProgressOptions,
    task: (progress: Progress, token: raw.CancellationToken) => Thenable<R>,
  ): Thenable<R>;
  createTreeView<T>(id: string, options: raw.TreeViewOptions<T>): TreeView<T>;
  createWebviewPanel<T extends string>(
    viewType: string,
    title: T & Shown<T>,
    showOptions: Parameters<typeof raw.window.createWebviewPanel>[2],
    options?: raw.WebviewPanelOptions & raw.WebviewOptions,
  ): WebviewPanel;
  registerCustomEditorProvider(
    viewType: string,
    provider: {
      resolveCustomTextEditor(document: raw.TextDocument, panel: WebviewPanel): Thenable<void>;
    },
    options: { readonly webviewOptions: raw.WebviewPanelOptions },
  ): raw.Disposable;
  registerWebviewPanelSerializer(viewType: string, serializer: WebviewPanelSerializer): raw.Disposable;
}

/** Functions that show text and that the extension does not use: give them a safe signature above before using one. */
type Unused = 'createTerminal' | 'registerTreeDataProvider' | 'registerTerminalLinkProvider' | 'withScmProgress';

/** VS Code's `window`, with `UserText` for all text that it draws. */
export const window = Object.create(raw.window, Object.getOwnPropertyDescriptors(questions)) as Omit<
  typeof raw.window,
  keyof GuardedWindow | Unused
> &
  GuardedWindow;
