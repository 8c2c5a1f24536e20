/** What a user does when they are asked: chooses a row, types a text, presses a button, or gives up. */
export type Answer =
  | { readonly pick: string }
  | { readonly type: string }
  | { readonly press: string; readonly first?: () => Promise<void> }
  | { readonly escape: true };

export const pick = (label: string): Answer => ({ pick: label });
export const type = (text: string): Answer => ({ type: text });
/** `first` is done while the question stands. */
export const press = (button: string, first?: () => Promise<void>): Answer => ({
  press: button,
  ...(first ? { first } : {}),
});
export const escape: Answer = { escape: true };
