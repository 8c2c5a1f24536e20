import type { CommandId, CommandTarget } from './commands/commands.ts';

/** A remedy for an error: a button that runs a command, with the command's target. */
export type ErrorAction = {
  readonly [Id in CommandId]: {
    readonly title: string;
    readonly command: Id;
    readonly argument?: CommandTarget<Id> | undefined;
  };
}[CommandId];

/** Whether an error is a `UserError`, including one from another bundle of the extension, which has its own class. */
export function isUserError(error: unknown): error is UserError {
  return error instanceof UserError || (error instanceof Error && error.name === 'UserError');
}

/** An expected failure: the message explains what happened and what to do. It is not a bug. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly action: ErrorAction | undefined;

  constructor(message: string, action?: ErrorAction) {
    super(message);
    this.action = action;
  }
}

/**
 * Nothing failed and nothing was lost: there was nothing to do, or the user must choose or open something first. It is shown as
 * information, not as an error.
 */
export class Hint extends UserError {
  readonly isHint = true;
}

/** Whether an error is a `Hint`, including one from another bundle of the extension. */
export function isHint(error: unknown): error is Hint {
  return isUserError(error) && (error as Partial<Hint>).isHint === true;
}
