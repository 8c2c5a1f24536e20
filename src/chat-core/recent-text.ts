/** A piece of a growing text, linked to the pieces before it. */
interface Piece {
  /** Its offset in the text. */
  readonly at: number;
  readonly text: string;
  readonly before: Piece | undefined;
}

/** The end of a growing text, as the pieces that were appended. */
export interface RecentText {
  /** The offset of the first piece in the text. */
  readonly start: number;
  readonly count: number;
  readonly last: Piece;
  /** The pieces before `start`, so that there are always enough of them. */
  readonly older: RecentText | undefined;
}

/** The maximum number of pieces and of characters before a new list of pieces begins. */
const MOST_PIECES = 1_024;
const MOST_CHARACTERS = 65_536;

/** Returns the end of `text` with `more` appended; `undefined` if nothing was appended yet. */
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
 * Returns `text` from an offset. Slicing a string that was built by concatenation copies all of it, so this uses the pieces if
 * they reach back far enough: the cost depends on what was appended, not on the length of the text.
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
