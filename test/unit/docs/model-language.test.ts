import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codes } from '#model/codes.ts';
import { language } from '#model/language/language.ts';
import { root } from '../../tools/run.ts';

const page = readFileSync(join(root, 'docs/model-language.md'), 'utf8');

/** The keys of the language that a text does not name; hidden ones are for old models only. */
function unnamed(text: string): readonly string[] {
  const keys = Object.values(language).flatMap((shape) =>
    Object.entries(shape.keys).flatMap(([name, { hidden }]) => (hidden === true ? [] : [name])),
  );
  return [...new Set(keys)].filter((name) => !new RegExp(`\`${name}(?:: [^\`]*)?\``).test(text)).toSorted();
}

describe('the page about the data-model language', () => {
  it('names every key of the language', () => {
    expect(unnamed(page)).toEqual([]);
  });

  it('lists every diagnostic with its severity', () => {
    const listed = [...page.matchAll(/^\| \[([\w-]+)\]\(\S+\): .* \| (\w+) \|$/gm)];
    const known = Object.entries(codes).map(([id, { severity }]) => [id, severity]);
    expect(Object.fromEntries(listed.map(([, id, severity]) => [id, severity]))).toEqual(Object.fromEntries(known));
  });

  it('would be found wrong without a key', () => {
    expect(unnamed(page.replaceAll('`join_path`', ''))).toEqual(['join_path']);
  });
});
