import { describe, expect, it } from 'vitest';
import { checkVsix, required, vsixLimit, zipEntries } from '../../tools/vsix.ts';

const complete = ['[Content_Types].xml', 'extension.vsixmanifest', ...required].map((path) => ({ path, bytes: 10 }));

describe('the contents of the package', () => {
  it('pass when complete', () => {
    expect(checkVsix(complete, 1000)).toEqual({ ok: true, output: '' });
  });

  it.each([
    'extension/package.json',
    'extension/dist/extension.js',
    'extension/dist/view-commands.js',
    'extension/dist/models.js',
    'extension/dist/engine-process.js',
    'extension/dist/webview/chat.js',
  ])('fail when %s is missing', (missing) => {
    const rest = complete.filter(({ path }) => path !== missing);
    expect(checkVsix(rest, 1000)).toEqual({ ok: false, output: `missing: ${missing}` });
  });

  it.each([
    'extension/src/base/event.ts',
    'extension/node_modules/ky/package.json',
    'extension/dist/extension.js.map',
    'extension/dist/language-server.worker.js',
    'extension/media/readme/chat.png',
  ])('fail with %s', (path) => {
    expect(checkVsix([...complete, { path, bytes: 1 }], 1000).output).toBe(`unexpected: ${path}`);
  });

  it('fail when too large', () => {
    expect(checkVsix(complete, vsixLimit).ok).toBe(true);
    expect(checkVsix(complete, vsixLimit + 1).ok).toBe(false);
  });
});

describe('reading an archive', () => {
  it('finds its files and their sizes', () => {
    expect(zipEntries(archive({ 'a.txt': 3, 'b/ü.txt': 70_000 }))).toEqual([
      { path: 'a.txt', bytes: 3 },
      { path: 'b/ü.txt', bytes: 70_000 },
    ]);
  });

  it('refuses what is not one', () => {
    expect(() => zipEntries(Buffer.from('<html>'))).toThrow('not a zip archive');
  });
});

/** A central directory as zip files have it at their end. */
function archive(files: Readonly<Record<string, number>>): Buffer {
  const entries = Object.entries(files).map(([path, bytes]) => {
    const name = Buffer.from(path);
    const header = Buffer.alloc(46);
    header.writeUInt32LE(0x02014b50, 0);
    header.writeUInt32LE(bytes, 24);
    header.writeUInt16LE(name.length, 28);
    return Buffer.concat([header, name]);
  });
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(0, 16);
  return Buffer.concat([directory, end]);
}
