import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listFolder, readText } from '#language-server/node-files.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'node-files-')));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), path);
  }
}

const link = (path: string, target: string): void => symlinkSync(join(folder, target), join(folder, path));

/** The paths of the files that are found below a folder. */
const listed = (root: string): readonly string[] => {
  const start = pathToFileURL(join(folder, root)).href;
  return listFolder(join(folder, root)).map((uri) => uri.slice(start.length + 1));
};

describe('the files of a model on the disk', () => {
  it('are those that can belong to one, outside of folders with packages', () => {
    write('model/a.yml', 'model/cubes/b.js', 'model/note.md', 'model/node_modules/x/c.yml', 'model/.git/d.yml');
    expect(listed('model')).toEqual(['a.yml', 'cubes/b.js']);
  });

  it('are also those behind links, as for the engine', () => {
    write('model/a.yml', 'shared/cubes/b.yml', 'shared/cubes/deep/c.yml', 'other/d.yml');
    link('model/cubes', 'shared/cubes');
    link('model/d.yml', 'other/d.yml');
    link('model/gone', 'nowhere');
    link('linked', 'model');
    const expected = ['a.yml', 'cubes/b.yml', 'cubes/deep/c.yml', 'd.yml'];
    expect(listed('model')).toEqual(expected);
    expect(listed('linked')).toEqual(expected);
    expect(readText(pathToFileURL(join(folder, 'linked/cubes/b.yml')).href)).toBe('shared/cubes/b.yml');
  });

  it('end where a link leads back to a folder above it', () => {
    write('model/a.yml', 'shared/b.yml');
    link('model/self', 'model');
    link('model/up', '.');
    link('model/shared', 'shared');
    link('shared/back', 'model');
    link('shared/again', 'shared');
    expect(listed('model')).toEqual(['a.yml', 'shared/b.yml']);
  });
});
