import { isPlatformError } from '#api/errors.ts';
import type { AdminDocument } from '#features/administration/document.ts';
import type { Fields } from '#features/administration/rows.ts';
import { isUserError } from '#shell/user-error.ts';
import type { HandlerDesk } from '../handler-desk.ts';
import type { Answer } from '../../vscode/answers.ts';

/** Who answers the questions of a handler. */
export interface Answering {
  answering(work: () => Thenable<unknown>, ...answers: readonly Answer[]): Promise<string>;
}

/** Something that the product does, for what it sends; what the platform answers is judged elsewhere. */
export interface WireStory {
  readonly name: string;
  readonly play: (desk: HandlerDesk, person: Answering) => Promise<void>;
}

/** A refusal of the platform comes after the request, and the request is what a story is for. */
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

/** Does something that asks, and answers; every answer must be asked for. */
export async function act(
  person: Answering,
  work: () => Promise<unknown> | undefined | void,
  ...answers: readonly Answer[]
): Promise<void> {
  await person.answering(async () => sendAnyway(async () => work()), ...answers);
}
