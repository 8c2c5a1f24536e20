import { crc32 } from 'node:zlib';

const SUM_LENGTH = 8;

/** Returns a value as one line of JSON with a checksum at its end. */
export function checkedLine(value: unknown): string {
  return [...checkedPieces([JSON.stringify(value)])].join('');
}

/** Like {@link checkedLine}, for JSON that is generated in pieces. */
export function* checkedPieces(pieces: Iterable<string>): Generator<string> {
  let sum = 0;
  for (const piece of pieces) {
    sum = crc32(piece, sum);
    yield piece;
  }
  yield ` ${written(sum)}\n`;
}

/** Returns the value in a line of `checkedLine`; undefined when it is damaged. `line`: with or without its line ending. */
export function readCheckedLine(line: string): unknown {
  const text = line.trimEnd();
  const json = text.slice(0, -SUM_LENGTH - 1);
  return json !== '' && text.endsWith(` ${written(crc32(json))}`) ? JSON.parse(json) : undefined;
}

function written(sum: number): string {
  return sum.toString(16).padStart(SUM_LENGTH, '0');
}
