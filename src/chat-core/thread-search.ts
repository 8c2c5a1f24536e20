import type { ChatThread } from './thread.ts';

/** A thread that contains what was searched for. */
export interface FoundThread {
  readonly key: string;
  /** The words around the latest place that contains it, on one line. */
  readonly excerpt: string;
}

/** Characters before and after what was found. */
const AROUND = 40;

/** Searches the questions and answers of a thread, the latest first; letter case does not count. */
export function foundIn(thread: ChatThread, words: string): FoundThread | undefined {
  const wanted = words.trim().toLowerCase();
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
