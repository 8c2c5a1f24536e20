import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ModelFile } from '#platform/engine/index.ts';
import { realEngine } from '#support/real-engine.ts';

interface Case {
  readonly case: string;
  readonly dir: string;
  readonly compiles: boolean;
  readonly errors: readonly { readonly file: string | null; readonly message: string }[];
  readonly thrown: string | null;
}

const root = new URL('../../fixtures/corpora/error-matrix/', import.meta.url);
const { cases } = JSON.parse(readFileSync(new URL('expected.json', root), 'utf8')) as { cases: readonly Case[] };
const engine = realEngine();

function filesOf(dir: string): readonly ModelFile[] {
  const folder = new URL(`${dir}/model/`, root);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { fileName: path.slice(path.lastIndexOf(join('model', 'cubes'))), content: readFileSync(path, 'utf8') };
    })
    .sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
}

describe('the error matrix: word for word what the engine is known to say', () => {
  for (const { case: name, dir, compiles, errors, thrown } of cases) {
    it(name, async () => {
      const wanted = thrown === null ? errors : [{ file: null, message: thrown }];
      const result = await engine.compile(filesOf(dir));
      expect(result.ok).toBe(compiles);
      const told = result.ok ? [] : result.errors;
      expect(told.map((error) => error.message)).toEqual(wanted.map((error) => error.message));
      // The recorded verdict puts the duplicate key into the neighbouring file: an error that leaked between files.
      const files = dir === 'js-dup-key' ? ['cubes/x.js'] : wanted.map((error) => error.file);
      expect(told.map((error) => error.fileName?.replace('model/', '') ?? null)).toEqual(files);
    });
  }
});
