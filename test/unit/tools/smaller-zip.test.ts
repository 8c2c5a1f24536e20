import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { smallerZip } from '../../tools/smaller-zip.ts';
import { zipEntries } from '../../tools/vsix.ts';

/** An archive of one file, as quickly compressed as zlib can. */
function quickZip(name: string, bytes: Buffer): Buffer {
  const data = deflateRawSync(bytes, { level: 1 });
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt16LE(8, 4);
  facts.writeUInt32LE(crc32(bytes), 10);
  facts.writeUInt32LE(data.length, 14);
  facts.writeUInt32LE(bytes.length, 18);
  facts.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, Buffer.from(name), data]);
  const entry = Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0'), facts, Buffer.alloc(14), Buffer.from(name)]);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}

describe('a smaller archive', () => {
  it('has the same files with the same bytes', () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, at) => `line ${at % 97} of ${at % 13}\n`).join(''));
    const before = quickZip('a/file.js', bytes);
    const after = smallerZip(before);
    expect(after.length).toBeLessThan(before.length);
    expect(zipEntries(after)).toEqual([{ path: 'a/file.js', bytes: bytes.length }]);
    const size = after.readUInt32LE(18);
    expect(inflateRawSync(after.subarray(30 + 'a/file.js'.length, 30 + 'a/file.js'.length + size))).toEqual(bytes);
    expect(after.readUInt32LE(14)).toBe(crc32(bytes));
  });

  it('has JSON without spaces, with its own size and checksum', () => {
    const name = 'a/package.json';
    const value = { text: 'a  “b”', list: [1, { c: null }] };
    const after = smallerZip(quickZip(name, Buffer.from(JSON.stringify(value, undefined, 2))));
    const bytes = inflateRawSync(after.subarray(30 + name.length, 30 + name.length + after.readUInt32LE(18)));
    expect(bytes.toString()).toBe(JSON.stringify(value));
    expect(after.readUInt32LE(14)).toBe(crc32(bytes));
    expect(zipEntries(after)).toEqual([{ path: name, bytes: bytes.length }]);
  });

  it('has a manifest without what only its development needs', () => {
    const name = 'extension/package.json';
    const value = { name: 'a', scripts: { b: 'c' }, devDependencies: { d: '1' }, imports: {}, contributes: { e: 1 } };
    const after = smallerZip(quickZip(name, Buffer.from(JSON.stringify(value))));
    const bytes = inflateRawSync(after.subarray(30 + name.length, 30 + name.length + after.readUInt32LE(18)));
    expect(JSON.parse(bytes.toString())).toEqual({ name: 'a', contributes: { e: 1 } });
  });

  it('is not made of anything else', () => {
    expect(() => smallerZip(Buffer.from('text'))).toThrow('not a zip archive');
  });
});
