import type { ChatThread } from './thread.ts';

/** A thread that contains the search text. */
export interface FoundThread {
  readonly key: string;
  /** The text around the latest match, on one line. */
  readonly excerpt: string;
}

/** The number of characters shown before and after the match. */
const AROUND = 40;

/** Searches the questions and answers of a thread, the latest first, ignoring case. */
export function foundIn(thread: ChatThread, query: string): FoundThread | undefined {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return undefined;
  for (const turn of thread.turns.toReversed()) {
    const texts = [
      ...turn.messages
        .toArray()
        .map(({ text }) => text)
        .toReversed(),
      turn.prompt,
    ];
    for (const text of texts) {
      const at = text.toLowerCase().indexOf(wanted);
      if (at >= 0) return { key: thread.key, excerpt: excerptOf(text, at, wanted.length) };
    }
  }
  return undefined;
}

function excerptOf(text: string, at: number, length: number): string {
  const from = Math.max(0, at - AROUND);
  const to = Math.min(text.length, at + length + AROUND);
  const excerpt = text.slice(from, to).replaceAll(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${excerpt}${to < text.length ? '…' : ''}`;
}
