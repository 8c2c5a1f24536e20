import type { CommandId, CommandTarget } from './commands/commands.ts';

/** What a user can do about an error: a button that runs a command, with what that acts on. */
export type ErrorAction = {
  readonly [Id in CommandId]: {
    readonly title: string;
    readonly command: Id;
    readonly argument?: CommandTarget<Id> | undefined;
  };
}[CommandId];

/** Whether it is one, also when it was made by another bundle of the extension (a class of its own there). */
export function isUserError(error: unknown): error is UserError {
  return error instanceof UserError || (error instanceof Error && error.name === 'UserError');
}

/** Something that is expected to go wrong now and then: the message says what and what to do; it is not a bug. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly action: ErrorAction | undefined;

  constructor(message: string, action?: ErrorAction) {
    super(message);
    this.action = action;
  }
}

/**
 * Nothing failed and nothing was lost: there was nothing to do, or something must be chosen or opened first. It is shown as
 * information, not as an error.
 */
export class Hint extends UserError {
  readonly isHint = true;
}

/** Whether it is one, also when it was made by another bundle of the extension. */
export function isHint(error: unknown): error is Hint {
  return isUserError(error) && (error as Partial<Hint>).isHint === true;
}
