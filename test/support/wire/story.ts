import { isPlatformError } from '#api/errors.ts';
import type { AdminDocument } from '#features/administration/document.ts';
import type { Fields } from '#features/administration/rows.ts';
import { isUserError } from '#shell/user-error.ts';
import type { HandlerDesk } from '../handler-desk.ts';
import type { Answer } from '../../vscode/answers.ts';

/** The stand-in for the user who answers the questions of a handler. */
export interface Answering {
  answering(work: () => Thenable<unknown>, ...answers: readonly Answer[]): Promise<string>;
}

/** An action of the product that is played for the requests it sends; other tests check the platform's responses. */
export interface WireStory {
  readonly name: string;
  readonly play: (desk: HandlerDesk, person: Answering) => Promise<void>;
}

/** Ignores a refusal of the platform: it comes after the request, which is all that a story checks. */
export async function sendAnyway(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isPlatformError(error) && !isUserError(error)) throw error;
  }
}

/** Saves a document with these fields. */
export async function saved(document: AdminDocument, fields: Fields): Promise<void> {
  const checked = document.edit?.check(fields, {});
  if (checked?.ok !== true) throw new Error(`${document.title} cannot be saved: ${JSON.stringify(checked)}`);
  await sendAnyway(async () => document.edit?.send(checked.value, {}));
}

/** Runs an action that asks questions, and answers them; every answer must be used. */
export async function act(
  person: Answering,
  work: () => Promise<unknown> | undefined | void,
  ...answers: readonly Answer[]
): Promise<void> {
  await person.answering(async () => sendAnyway(async () => work()), ...answers);
}
