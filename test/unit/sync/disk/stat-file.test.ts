import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadTable, saveTable } from '#sync/disk/stat-file.ts';
import { type StatRow, StatTable } from '#sync/disk/stat-table.ts';
import { newFolder } from '#support/sync/test-disk.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = newFolder('stat-file-');
  file = path.join(folder, 'table');
});

afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

function tableOf(count: number): StatTable {
  const table = new StatTable();
  for (let at = 0; at < count; at++) {
    table.restore({
      path: `model/${'ü'.repeat(at % 90)}_${at}.yml`,
      mtime: BigInt(at) * 1_000_000_007n,
      ctime: -BigInt(at),
      ino: 2n ** 63n + BigInt(at),
      size: at * 1.5e9,
      hashedAt: BigInt(at) << 20n,
      mode: 0o100644,
      hash: Buffer.alloc(20, at % 251),
    });
  }
  table.verifiedAt = 1234.5;
  return table;
}

const rowsOf = (table: StatTable): readonly StatRow[] =>
  [...table.rows()].map((row) => ({ ...row, hash: Buffer.from(row.hash) }));

describe('the table of known files on disk', () => {
  it.each([0, 1, 3000, 30_000])('comes back as it was: %i rows', (count) => {
    const table = tableOf(count);
    saveTable(file, table);
    const loaded = loadTable(file);
    expect(loaded.verifiedAt).toBe(1234.5);
    expect(rowsOf(loaded)).toEqual(rowsOf(table));
  });

  it('starts empty when it is damaged anywhere, cut anywhere, or missing', () => {
    saveTable(file, tableOf(5));
    const whole = readFileSync(file);
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged.writeUInt8(whole.readUInt8(at) ^ 0x41, at);
      writeFileSync(file, damaged);
      expect(loadTable(file).count, `byte ${at}`).toBe(0);
      writeFileSync(file, whole.subarray(0, at));
      expect(loadTable(file).count, `cut at ${at}`).toBe(0);
    }
    rmSync(file);
    expect(loadTable(file).count).toBe(0);
  });
});
