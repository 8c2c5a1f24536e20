import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseFile } from '#model/file.ts';
import { scanSimple } from '#model/syntax/yaml/simple-yaml.ts';
import { maskJinja } from '#model/syntax/jinja/jinja.ts';
import { parseWhole, parseYaml } from '#model/syntax/parse.ts';
import { ChunkScanner } from '#model/syntax/yaml/scanner.ts';
import { splitYaml } from '#model/syntax/yaml/split.ts';
import { encode, grow } from '#model/syntax/tape.ts';
import { wordAt, wordText } from '#model/syntax/words.ts';
import { yaml } from '#support/language/raw.ts';

const texts = globSync('test/fixtures/corpora/**/*.{yml,yaml,jinja}').map(
  (path) => maskJinja(readFileSync(path, 'utf8')).text,
);

describe('a tape', () => {
  it('gives back the trees that were put on it', () => {
    for (const text of texts) {
      const { node } = parseWhole(text);
      expect(grow(encode([node]).tape, text).roots[0]).toEqual(node);
    }
  });

  it('reads a part of a text as it reads that part alone', () => {
    for (const text of texts) {
      const scanner = new ChunkScanner(text);
      for (const { start, end } of splitYaml(text).ranges) {
        const own = text.slice(start, end);
        const tape = scanSimple(scanner, start, end);
        expect(tape?.cells).toEqual(scanSimple(new ChunkScanner(own), 0, own.length)?.cells);
        const roots = tape && grow(tape, own).roots;
        expect(roots ? roots[0] : parseYaml(own).node).toEqual(parseYaml(own).node);
      }
    }
  });

  it('makes the same tree again after it was given back', () => {
    const file = parseFile(
      'a.yml',
      yaml`
        cubes:
          - name: a
            sql: >
              select 1
            measures: [{ name: m, type: count }]
      `,
    );
    const [chunk] = file.chunks.map((placed) => placed.chunk);
    const before = chunk?.node;
    chunk?.release();
    expect(chunk?.node).not.toBe(before);
    expect(chunk?.node).toEqual(before);
    expect(chunk?.entities[0]?.nameNode?.value).toBe('a');
  });

  it('keeps the nodes of a script, which only its parser can make', () => {
    const file = parseFile('a.js', 'cube(`a`, { sql: `select 1`, measures: { m: { type: `count` } } });');
    const chunk = file.chunks[0]?.chunk;
    const before = chunk?.entities[0]?.node;
    chunk?.release();
    expect(chunk?.entities[0]?.node).toBe(before);
    expect(chunk?.mapAt(chunk.entities[0]?.cell ?? -1)).toBe(before);
  });
});

describe('words', () => {
  it('come back without their text, and go when there are too many', () => {
    const text = 'name: x';
    const word = wordAt(text, 0, 4);
    expect(wordText(word)).toBe('name');
    expect(wordAt('a name', 2, 6)).toBe(word);
    for (let at = 0; at < 5000; at++) wordAt(`key_${at}`, 0, `key_${at}`.length);
    expect(wordAt('one_more_key', 0, 12)).toBe(0);
    expect(wordAt(text, 0, 4)).toBe(word);
    const { chunks } = parseFile(
      'a.yml',
      yaml`
        cubes:
          - one_more_key: 1
            name: b
      `,
    );
    const [cube] = chunks[0]?.chunk.entities ?? [];
    expect(cube?.node.pairs.map(({ key }) => key.value)).toEqual(['one_more_key', 'name']);
  });
});
