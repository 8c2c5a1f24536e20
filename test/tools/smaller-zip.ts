import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

const DEFLATED = 8;

/**
 * Returns the same zip archive with zlib's best compression, and its JSON without spaces: the packager of VS Code extensions prefers
 * speed. The manifest loses what only those need who develop the extension.
 */
export function smallerZip(archive: Buffer): Buffer {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0) throw new Error('not a zip archive');
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let written = 0;
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const name = archive.readUInt16LE(at + 28);
    const others = archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    const entry = Buffer.from(archive.subarray(at, at + 46 + name + others));
    at += entry.length;
    const unpacked = unpackedData(archive, entry);
    const bytes = smallerText(entry.subarray(46, 46 + name).toString(), unpacked);
    const data = compressed(bytes);
    entry.writeUInt16LE(DEFLATED, 10);
    entry.writeUInt32LE(crc32(bytes), 16);
    entry.writeUInt32LE(bytes.length, 24);
    // The sizes come before the data, so no data descriptor follows it.
    entry.writeUInt16LE(entry.readUInt16LE(8) & ~8, 8);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(written, 42);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04_03_4b_50, 0);
    entry.copy(header, 4, 6, 28);
    header.writeUInt16LE(name, 26);
    const file = [header, entry.subarray(46, 46 + name), data];
    files.push(...file);
    directory.push(entry);
    written += file.reduce((sum, { length }) => sum + length, 0);
  }
  const last = Buffer.from(archive.subarray(end));
  last.writeUInt32LE(Buffer.concat(directory).length, 12);
  last.writeUInt32LE(written, 16);
  return Buffer.concat([...files, ...directory, last]);
}

/** Keys of the manifest that neither VS Code nor the bundles read. */
const OF_DEVELOPMENT = new Set(['scripts', 'devDependencies', 'imports', 'allowScripts']);

/** Returns JSON without spaces, and other files as they are. */
function smallerText(path: string, bytes: Buffer): Buffer {
  if (!path.endsWith('.json')) return bytes;
  const value = JSON.parse(bytes.toString()) as object;
  const isManifest = path === 'extension/package.json';
  const kept = isManifest ? Object.entries(value).filter(([key]) => !OF_DEVELOPMENT.has(key)) : undefined;
  return Buffer.from(JSON.stringify(kept ? Object.fromEntries(kept) : value));
}

/** Returns the bytes of a file of the archive, by its directory entry. */
function unpackedData(archive: Buffer, entry: Buffer): Buffer {
  const header = entry.readUInt32LE(42);
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const data = archive.subarray(start, start + entry.readUInt32LE(20));
  return entry.readUInt16LE(10) === DEFLATED ? inflateRawSync(data) : data;
}

/** Compresses bytes in sections, each with the amount of memory and the strategy that suit it best. */
function compressed(bytes: Buffer): Buffer {
  const sections: Buffer[] = [];
  for (let from = 0; from < bytes.length || from === 0; from += LARGEST)
    sections.push(bestSection(bytes, from, Math.min(bytes.length, from + LARGEST)));
  return Buffer.concat(sections);
}

/** Compresses a section as a whole or in halves, whichever is shorter: what suits code best varies from library to library. */
function bestSection(bytes: Buffer, from: number, to: number): Buffer {
  const whole = section(bytes, from, to);
  if (to - from <= SMALLEST) return whole;
  const middle = (from + to) >> 1;
  return shortest([whole, Buffer.concat([bestSection(bytes, from, middle), bestSection(bytes, middle, to)])]);
}

/** Sizes of the largest section, and of the largest that is not divided again. */
const LARGEST = 262_144;
const SMALLEST = 16_384;

/** Compresses a section, with what precedes it as its dictionary. */
function section(bytes: Buffer, from: number, to: number): Buffer {
  const dictionary = bytes.subarray(Math.max(0, from - WINDOW), from);
  const options = {
    level: 9,
    finishFlush: to >= bytes.length ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
    ...(dictionary.length > 0 ? { dictionary } : {}),
  };
  const all = STRATEGIES.flatMap((strategy) =>
    [5, 6, 7, 8, 9].map((memLevel) => deflateRawSync(bytes.subarray(from, to), { ...options, memLevel, strategy })),
  );
  return shortest(all);
}

/** The second one suits WebAssembly. */
const STRATEGIES = [constants.Z_DEFAULT_STRATEGY, constants.Z_FILTERED];

/** How far back a compressed section may refer. */
const WINDOW = 32_768;

function shortest(all: readonly Buffer[]): Buffer {
  return all.reduce((least, next) => (next.length < least.length ? next : least));
}
