import { hash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { StatTable } from './stat-table.ts';

const MAGIC = 'MBST2\n';
/** The name of the format, and when every file was last hashed. */
const HEAD = MAGIC.length + 8;
const FIXED = 8 * 5 + 4 + 20 + 2;

/** Reads a table that `saveTable` wrote; anything wrong with it is an empty table. */
export function loadTable(file: string): StatTable {
  const table = new StatTable();
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return table;
  }
  const body = bytes.subarray(0, Math.max(0, bytes.length - 20));
  if (body.length < HEAD) return table;
  if (body.toString('latin1', 0, MAGIC.length) !== MAGIC) return table;
  if (hash('sha1', body) !== bytes.toString('hex', body.length)) return table;
  table.verifiedAt = body.readDoubleLE(MAGIC.length);
  table.reserve(countRows(body));
  for (let at = HEAD; at < body.length;) {
    const length = body.readUInt16LE(at);
    const path = body.toString('utf8', at + FIXED, at + FIXED + length);
    table.restore({
      path,
      mtime: body.readBigInt64LE(at + 2),
      ctime: body.readBigInt64LE(at + 10),
      ino: body.readBigUInt64LE(at + 18),
      size: body.readDoubleLE(at + 26),
      hashedAt: body.readBigInt64LE(at + 34),
      mode: body.readUInt32LE(at + 42),
      hash: body.subarray(at + 46, at + 66),
    });
    at += FIXED + length;
  }
  return table;
}

function countRows(body: Buffer): number {
  let count = 0;
  for (let at = HEAD; at < body.length; at += FIXED + body.readUInt16LE(at)) count += 1;
  return count;
}

/** Writes the table; losing it costs only time, so it is renamed into place without waiting for the disk. */
export function saveTable(file: string, table: StatTable): void {
  const head = Buffer.alloc(HEAD);
  head.write(MAGIC, 'latin1');
  head.writeDoubleLE(table.verifiedAt, MAGIC.length);
  const parts: Buffer[] = [head];
  for (const row of table.rows()) {
    const name = Buffer.from(row.path, 'utf8');
    const part = Buffer.allocUnsafe(FIXED + name.length);
    part.writeUInt16LE(name.length, 0);
    part.writeBigInt64LE(row.mtime, 2);
    part.writeBigInt64LE(row.ctime, 10);
    part.writeBigUInt64LE(row.ino, 18);
    part.writeDoubleLE(row.size, 26);
    part.writeBigInt64LE(row.hashedAt, 34);
    part.writeUInt32LE(row.mode, 42);
    part.set(row.hash, 46);
    name.copy(part, FIXED);
    parts.push(part);
  }
  const body = Buffer.concat(parts);
  writeFileSync(`${file}.tmp`, Buffer.concat([body, Buffer.from(hash('sha1', body), 'hex')]), { mode: 0o600 });
  renameSync(`${file}.tmp`, file);
}
