/** A piece of a text that grows, and the pieces before it. */
interface Piece {
  /** Where it begins in the text. */
  readonly at: number;
  readonly text: string;
  readonly before: Piece | undefined;
}

/** The end of a text that grows, as the pieces that were appended. */
export interface RecentText {
  /** Where the first piece begins in the text. */
  readonly start: number;
  readonly count: number;
  readonly last: Piece;
  /** The pieces before `start`, so that there are always enough of them. */
  readonly older: RecentText | undefined;
}

/** How many pieces are kept before others begin, and how many characters. */
const MOST_PIECES = 1_024;
const MOST_CHARACTERS = 65_536;

/** The end of `text` with `more` appended; `undefined` where nothing was appended yet. */
export function withMore(recent: RecentText | undefined, text: string, more: string): RecentText | undefined {
  if (more === '') return recent;
  const at = text.length;
  const isFull = recent && (recent.count >= MOST_PIECES || at - recent.start >= MOST_CHARACTERS);
  if (!recent || isFull) {
    const older = recent && { ...recent, older: undefined };
    return { start: at, count: 1, last: { at, text: more, before: undefined }, older };
  }
  const { start, count, last, older } = recent;
  return { start, count: count + 1, last: { at, text: more, before: last }, older };
}

/**
 * `text` from a position on. Cutting a string that was put together piece by piece copies all of it, so the pieces are taken
 * where they reach back far enough: the work grows with what was appended, not with the text.
 */
export function textFrom(text: string, from: number, recent: RecentText | undefined): string {
  if (!recent || from < (recent.older ?? recent).start) return text.slice(from);
  const pieces: string[] = [];
  for (const { last } of recent.older ? [recent, recent.older] : [recent]) {
    for (let piece: Piece | undefined = last; piece; piece = piece.before) {
      pieces.push(piece.text.slice(Math.max(0, from - piece.at)));
      if (piece.at <= from) return pieces.reverse().join('');
    }
  }
  return text.slice(from);
}
