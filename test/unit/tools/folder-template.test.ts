import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { folderTemplate } from '#support/folder-template.ts';

it('a template of a folder writes the same again, also where that was changed', () => {
  const home = mkdtempSync(join(tmpdir(), 'template-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const [from, one, two] = ['from', 'one', 'two'].map((name) => join(home, name)) as [string, string, string];
  for (const folder of ['b/c', 'b-empty']) mkdirSync(join(from, folder), { recursive: true });
  writeFileSync(join(from, 'a'), 'text');
  writeFileSync(join(from, 'b/c/bytes'), Buffer.from([0, 255, 10]));
  const write = folderTemplate(from);
  for (const to of [one, two]) {
    mkdirSync(to);
    write(to);
    writeFileSync(join(to, 'a'), 'changed');
  }
  const namesIn = (folder: string): Set<string> => new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
  expect(namesIn(one)).toEqual(namesIn(from));
  expect(readFileSync(join(one, 'b/c/bytes'))).toEqual(Buffer.from([0, 255, 10]));
  expect(readFileSync(join(from, 'a'), 'utf8')).toBe('text');
});
