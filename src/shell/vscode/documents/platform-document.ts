import { asError } from '#base/async.ts';
import stripComments from 'strip-json-comments';
import type { DocumentProblem } from '#shell/env-vars.ts';
import type { DocumentForm } from '#shell/document-form.ts';
import { UserError } from '#shell/user-error.ts';

/** A platform object that is edited as JSON. */
export interface PlatformDocument {
  /** The document's path, unique and readable, such as `/deployment 1/environment variables.json`. */
  readonly path: string;
  /** Reads the value that the editor shows. */
  read(): Promise<unknown>;
  /**
   * Saves an edited document; throws `UserError` if it is invalid or the user declines. Resolves to the platform's version, or to
   * `undefined` if that is what was saved.
   */
  save(edited: unknown): Promise<unknown>;
  /** Returns the problems of the text while the user types; they are shown in the editor. */
  readonly problems?: ((edited: unknown) => readonly DocumentProblem[]) | undefined;
  readonly isReadonly?: boolean | undefined;
  /** Plain data, without secrets, from which the document can be restored after the window was reloaded. */
  readonly recipe?: Readonly<Record<string, unknown>> | undefined;
  /** The account whose data it shows, if no recipe names it. Documents close when their account is signed out. */
  readonly accountId?: string | undefined;
  /**
   * Restores the version that an editor's text was based on after a reload of the window. If the platform has a newer one, saving
   * merges; without this, such a text cannot be saved. The version is stored unencrypted: not for objects with secrets.
   */
  readonly restoreBase?: ((base: unknown) => void) | undefined;
  /** The form for editing field by field; a document without it is only edited as JSON. */
  readonly form?: DocumentForm | undefined;
}

/** Returns the text of a value, as editors show it. */
export function documentText(value: unknown): string {
  return typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Parses JSON with comments, which templates contain. Throws `UserError`. */
export function parseDocument(text: string): unknown {
  try {
    return JSON.parse(stripComments(text));
  } catch (error) {
    throw new UserError(`This is not valid JSON: ${asError(error).message}`);
  }
}
