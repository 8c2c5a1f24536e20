import type { Position, Range } from 'vscode-languageserver';

/** Converts between offsets and positions of one text: an open document does so itself, closed files get a `LineIndex`. */
export interface Positions {
  positionAt(offset: number): Position;
  offsetAt(position: Position): number;
}

/** Converts offsets to a range of the protocol. */
export function rangeOf(positions: Positions, start: number, end: number): Range {
  return { start: positions.positionAt(start), end: positions.positionAt(end) };
}
