import type { CommandId } from '#protocol/commands.ts';

/** What a person can do about an error: a button. */
export interface ErrorAction {
  readonly title: string;
  readonly command: CommandId;
  readonly argument?: unknown;
}

/** Something that is expected to go wrong now and then: the message says what and what to do; it is no bug. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly action: ErrorAction | undefined;

  constructor(message: string, action?: ErrorAction) {
    super(message);
    this.action = action;
  }
}
