import type * as raw from 'vscode';
import type { UserText } from '#base/user-text.ts';

/** VS Code draws icons in all three texts of a row. */
export interface QuickPickItem extends Omit<raw.QuickPickItem, 'label' | 'description' | 'detail' | 'buttons'> {
  buttons?: readonly QuickInputButton[];
  label: UserText;
  description?: UserText | undefined;
  detail?: UserText | undefined;
}

export interface QuickPickOptions extends Omit<
  raw.QuickPickOptions,
  'title' | 'placeHolder' | 'prompt' | 'onDidSelectItem' | 'canPickMany'
> {
  readonly title?: UserText | undefined;
  readonly placeHolder?: UserText | undefined;
  /** What to say, as a hint, where there is nothing to choose from. */
  readonly none?: UserText;
}

/** Ticks are work that must not be lost: the list stays open when it loses the focus. */
type PickMany = QuickPickOptions & { readonly canPickMany: true; readonly ignoreFocusOut: true };

export interface ShowQuickPick {
  (items: readonly UserText[] | Thenable<readonly UserText[]>, options: PickMany): Thenable<UserText[] | undefined>;
  (
    items: readonly UserText[] | Thenable<readonly UserText[]>,
    options?: QuickPickOptions,
  ): Thenable<UserText | undefined>;
  <T extends QuickPickItem>(items: readonly T[] | Thenable<readonly T[]>, options: PickMany): Thenable<T[] | undefined>;
  <T extends QuickPickItem>(
    items: readonly T[] | Thenable<readonly T[]>,
    options?: QuickPickOptions,
  ): Thenable<T | undefined>;
}

/** VS Code draws the links of prompts and of validation messages. */
interface ValidationMessage extends Omit<raw.InputBoxValidationMessage, 'message'> {
  readonly message: UserText;
}

type Validation = UserText | ValidationMessage | undefined | null;

export interface InputBoxOptions extends Omit<
  raw.InputBoxOptions,
  'title' | 'prompt' | 'placeHolder' | 'validateInput'
> {
  readonly title?: UserText | undefined;
  readonly prompt?: UserText | undefined;
  readonly placeHolder?: UserText | undefined;
  validateInput?(value: string): Validation | Thenable<Validation>;
}

export interface QuickInputButton extends Omit<raw.QuickInputButton, 'tooltip'> {
  readonly tooltip?: UserText | undefined;
}

export interface QuickPick<T extends QuickPickItem> extends Omit<
  raw.QuickPick<raw.QuickPickItem>,
  | 'title'
  | 'placeholder'
  | 'prompt'
  | 'buttons'
  | 'items'
  | 'activeItems'
  | 'selectedItems'
  | 'onDidTriggerItemButton'
  | 'onDidChangeActive'
  | 'onDidChangeSelection'
> {
  items: readonly T[];
  activeItems: readonly T[];
  selectedItems: readonly T[];
  readonly onDidTriggerItemButton: raw.Event<{ readonly button: QuickInputButton; readonly item: T }>;
  readonly onDidChangeActive: raw.Event<readonly T[]>;
  readonly onDidChangeSelection: raw.Event<readonly T[]>;
  title: UserText | undefined;
  placeholder: UserText | undefined;
  buttons: readonly QuickInputButton[];
}

export interface InputBox extends Omit<
  raw.InputBox,
  'title' | 'prompt' | 'placeholder' | 'validationMessage' | 'buttons'
> {
  title: UserText | undefined;
  prompt: UserText | undefined;
  placeholder: UserText | undefined;
  validationMessage: UserText | ValidationMessage | undefined;
  buttons: readonly QuickInputButton[];
}
