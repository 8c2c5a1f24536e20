import * as v from 'valibot';
import { count } from './message-shapes.ts';
import { parsed } from './parsed.ts';

/**
 * How the messages of the extension host reach a page although VS Code may lose some: while it loads, hides or rebuilds the page.
 * Each message has a number. A page reports how many it has, and its host sends the others again (`src/shell/page-posts.ts`,
 * `src/shared/page/host-messages.ts`).
 */

const Numbered = v.object({
  /** The id of the page that the message is for: each time that VS Code builds a page, it has another one. */
  page: v.string(),
  /** Counts from 1 for each id; 0 asks the page to open again, because its host cannot send what it lacks. */
  number: count,
  message: v.unknown(),
});
/** A message of the host, with its number. */
export type NumberedMessage = v.InferOutput<typeof Numbered>;

const Opening = v.looseObject({ page: v.string() });
const Received = v.object({ page: v.string(), received: count });

/** Returns a numbered message of the host; `undefined` for any other value. */
export function parseNumbered(value: unknown): NumberedMessage | undefined {
  return parsed(Numbered, value);
}

/** Returns the id of a page from the message with which it opens; `undefined` for any other value. */
export function openingPage(value: unknown): string | undefined {
  return parsed(Opening, value)?.page;
}

/** Returns how many messages a page has received in a row; `undefined` for any other value. */
export function parseReceived(value: unknown): v.InferOutput<typeof Received> | undefined {
  return parsed(Received, value);
}
