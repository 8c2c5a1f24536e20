import { stripComments } from 'jsonc-parser';
import type { DocumentProblem } from '#shell/env-vars.ts';
import type { FormConflicts } from '#shell/form-conflicts.ts';
import type { JsonSchema } from '#shell/request-schema.ts';
import { UserError } from '#shell/user-error.ts';

/** An object of the platform that is edited as JSON. */
export interface PlatformDocument {
  /** Unique and readable: it is the document's path, for example `/deployment 1/environment variables.json`. */
  readonly path: string;
  /** What the editor shows. */
  read(): Promise<unknown>;
  /**
   * Takes an edited document; throws `UserError` with what is wrong, or when the user says no. Answers what the
   * platform has now, or nothing when that is what was saved.
   */
  save(edited: unknown): Promise<unknown>;
  /** What is wrong with a text while it is typed; it is marked there. */
  readonly problems?: ((edited: unknown) => readonly DocumentProblem[]) | undefined;
  /** Only to be read. */
  readonly isReadonly?: boolean | undefined;
  /** Plain data of which the document can be made again after the window was reloaded; nothing secret. */
  readonly recipe?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Remembers over a reload of the window which version an editor's text was made from. If the platform has a newer one,
   * saving merges. Without this such a text cannot be saved. It is kept in plain: for objects without secrets.
   */
  readonly restoreBase?: ((base: unknown) => void) | undefined;
  /** How it is edited field by field; a document without this is edited as JSON alone. */
  readonly form?: DocumentForm | undefined;
}

/** What a form shows of a document. */
export interface DocumentForm {
  /** The heading: `User “ada@shop.example”`. */
  readonly title: string;
  /** Whose object it is: the account or deployment. */
  readonly owner: string;
  /** The labels, kinds and help of its fields. */
  readonly schema: () => Promise<JsonSchema>;
  /** What keeps an edited document from being saved, and what a user should know before. */
  readonly problems: (edited: unknown) => readonly DocumentProblem[];
  /** What someone else changed meanwhile; absent where saving asks about that in another way. */
  readonly conflicts?: FormConflicts | undefined;
}

/** The text of a value, as editors show it. */
export function documentText(value: unknown): string {
  return typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`;
}

/** JSON with comments, which templates carry. Throws `UserError`. */
export function parseDocument(text: string): unknown {
  try {
    return JSON.parse(stripComments(text));
  } catch (error) {
    throw new UserError(`This is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
