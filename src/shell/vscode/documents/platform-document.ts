import type { DocumentProblem } from '#shell/env-vars.ts';
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
   * Tells, after a reload of the window, what the editor's text may have been made from while the platform has something
   * newer: saving merges. Without this such a text cannot be saved. It is kept in plain: for objects without secrets.
   */
  readonly restoreBase?: ((base: unknown) => void) | undefined;
}

/** The text of a value, as editors show it. */
export function documentText(value: unknown): string {
  return typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`;
}

/** JSON with comment lines, which templates carry. Throws `UserError`. */
export function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, ''));
  } catch (error) {
    throw new UserError(`This is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
