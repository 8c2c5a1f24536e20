import type { Position, Range } from 'vscode-languageserver';

/** Offsets and positions of one text: an open document has it, closed files get a `LineIndex`. */
export interface Positions {
  positionAt(offset: number): Position;
  offsetAt(position: Position): number;
}

/** Offsets as a range of the protocol. */
export function rangeOf(positions: Positions, start: number, end: number): Range {
  return { start: positions.positionAt(start), end: positions.positionAt(end) };
}
