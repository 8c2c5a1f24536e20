import * as v from 'valibot';
import { parsedJson } from '#base/json.ts';

const schema = v.object({
  account: v.string(),
  path: v.string(),
  recipe: v.record(v.string(), v.unknown()),
  sum: v.string(),
  base: v.optional(v.string()),
  text: v.optional(v.string()),
});

/** A text of a document that was stored and not sent, with what restores the document. */
export interface UnsentRecord extends v.InferOutput<typeof schema> {
  /** The account that the document belongs to; the record is erased with its data (docs/security.md). */
  readonly account: string;
  /** The text; `undefined` where it may contain secrets, and is in the secret storage instead. */
  readonly text?: string | undefined;
}

/** Where unsent texts are stored, one for each path. */
export interface UnsentRecords {
  /** Resolves to `undefined` if there is none, or if it cannot be understood. */
  readonly read: (path: string) => Promise<UnsentRecord | undefined>;
  /** Resolves once the record would survive the end of the process. */
  readonly write: (record: UnsentRecord) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
}

/** Parses a stored record; `undefined` if another version of the extension wrote something else, or the file is damaged. */
export function parseUnsentRecord(text: string): UnsentRecord | undefined {
  const parsed = v.safeParse(schema, parsedJson(text));
  return parsed.success ? parsed.output : undefined;
}
