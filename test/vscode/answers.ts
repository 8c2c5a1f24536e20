/** What a user does when they are asked: chooses a row, types a text, presses a button, or gives up. */
export type Answer =
  | { readonly pick: string }
  | { readonly type: string }
  | { readonly press: string; readonly first?: () => Promise<void> }
  | { readonly approve: string; readonly fills: Filled }
  | { readonly escape: true };

export const pick = (label: string): Answer => ({ pick: label });
export const type = (text: string): Answer => ({ type: text });
/** `first` is done while the question stands. */
export const press = (button: string, first?: () => Promise<void>): Answer => ({
  press: button,
  ...(first ? { first } : {}),
});
/** What is filled in on the page of a review. */
export interface Filled {
  readonly message?: string;
  readonly typed?: string;
  readonly options?: readonly string[];
}

/** Presses the primary button of a review page; without a message the page's own stays. */
export const approve = (button: string, fills: Filled = {}): Answer => ({ approve: button, fills });
export const escape: Answer = { escape: true };
