import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { type StatRow, StatTable } from './stat-table.ts';
import { temporaryName } from './temporary-name.ts';

const MAGIC = 'MBST3\n';
/** The size of the name of the format, the time when every file was last hashed, and the number of rows. */
const HEAD = MAGIC.length + 8 + 4;
/** The size of a row without its path. */
const FIXED = 8 * 5 + 4 + 20 + 2;
const SUM = 20;
/** The size of the one buffer for reading and writing: whole files of megabytes would stay in memory for long. */
const CHUNK = 1024 * 1024;

/** Reads a table that `saveTable` wrote; returns an empty table if anything is wrong with it. */
export function loadTable(file: string): StatTable {
  try {
    const descriptor = openSync(file, 'r');
    try {
      return readTable(descriptor) ?? new StatTable();
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return new StatTable();
  }
}

function readTable(descriptor: number): StatTable | undefined {
  const end = fstatSync(descriptor).size - SUM;
  const digest = createHash('sha1');
  const buffer = Buffer.allocUnsafe(CHUNK);
  const table = new StatTable();
  let kept = 0;
  for (let at = 0; at < end;) {
    const count = readSync(descriptor, buffer, kept, Math.min(buffer.length - kept, end - at), at);
    if (count === 0) return undefined;
    digest.update(buffer.subarray(kept, kept + count));
    const filled = kept + count;
    const from = at === 0 ? readHead(buffer, filled, table) : 0;
    if (from === undefined) return undefined;
    const rest = readRows(buffer.subarray(0, filled), from, table);
    buffer.copyWithin(0, rest, filled);
    kept = filled - rest;
    at += count;
  }
  const sum = Buffer.alloc(SUM);
  readSync(descriptor, sum, 0, SUM, Math.max(0, end));
  return end >= HEAD && kept === 0 && digest.digest().equals(sum) ? table : undefined;
}

function readHead(bytes: Buffer, filled: number, table: StatTable): number | undefined {
  if (filled < HEAD || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  table.verifiedAt = bytes.readDoubleLE(MAGIC.length);
  const rows = bytes.readUInt32LE(MAGIC.length + 8);
  // The count of a damaged file may be absurd: do not reserve rows for it.
  if (rows <= MOST_ROWS) table.reserve(rows);
  return HEAD;
}

const MOST_ROWS = 2_000_000;

/** Restores the complete rows; returns the position of the next one. */
function readRows(bytes: Buffer, from: number, table: StatTable): number {
  let at = from;
  while (at + 2 <= bytes.length) {
    const length = bytes.readUInt16LE(at);
    if (at + FIXED + length > bytes.length) break;
    table.restore({
      path: bytes.toString('utf8', at + FIXED, at + FIXED + length),
      mtime: bytes.readBigInt64LE(at + 2),
      ctime: bytes.readBigInt64LE(at + 10),
      ino: bytes.readBigUInt64LE(at + 18),
      size: bytes.readDoubleLE(at + 26),
      hashedAt: bytes.readBigInt64LE(at + 34),
      mode: bytes.readUInt32LE(at + 42),
      hash: bytes.subarray(at + 46, at + 66),
    });
    at += FIXED + length;
  }
  return at;
}

/** Writes the table; losing it costs only time, so it is renamed without a flush to disk. */
export function saveTable(file: string, table: StatTable): void {
  const temporary = temporaryName(file);
  try {
    writeTable(temporary, table);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeTable(file: string, table: StatTable): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    const digest = createHash('sha1');
    const buffer = Buffer.allocUnsafe(CHUNK);
    let filled = writeHead(buffer, table);
    const flush = (): void => {
      const bytes = buffer.subarray(0, filled);
      digest.update(bytes);
      writeSync(descriptor, bytes);
      filled = 0;
    };
    for (const row of table.rows()) {
      const length = Buffer.byteLength(row.path, 'utf8');
      if (filled + FIXED + length > buffer.length) flush();
      writeRow(buffer, filled, row, length);
      filled += FIXED + length;
    }
    flush();
    writeSync(descriptor, digest.digest());
  } finally {
    closeSync(descriptor);
  }
}

function writeHead(into: Buffer, table: StatTable): number {
  into.write(MAGIC, 'latin1');
  into.writeDoubleLE(table.verifiedAt, MAGIC.length);
  into.writeUInt32LE(table.count, MAGIC.length + 8);
  return HEAD;
}

function writeRow(into: Buffer, at: number, row: StatRow, length: number): void {
  into.writeUInt16LE(length, at);
  into.writeBigInt64LE(row.mtime, at + 2);
  into.writeBigInt64LE(row.ctime, at + 10);
  into.writeBigUInt64LE(row.ino, at + 18);
  into.writeDoubleLE(row.size, at + 26);
  into.writeBigInt64LE(row.hashedAt, at + 34);
  into.writeUInt32LE(row.mode, at + 42);
  into.set(row.hash, at + 46);
  into.write(row.path, at + FIXED, 'utf8');
}
