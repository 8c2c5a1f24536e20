import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replacedWords } from '../../tools/replaced-words.ts';
import { root } from '../../tools/run.ts';

const TEXTS = ['{src,test}/**/*.{ts,tsx,mjs,md}', '{docs,media,.github}/**/*.md', '*.{md,mjs,ts}', 'package.nls.json'];
/** Models of other projects, installed packages, and the files that name the phrases themselves. */
const LEFT_OUT = /^test\/fixtures\/|node_modules\/|^docs\/writing\.md$|^test\/(?:tools|unit\/docs)\/replaced-words/;

const found = globSync(TEXTS, { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !LEFT_OUT.test(path))
  .flatMap((path) => replacedWords(path, readFileSync(join(root, path), 'utf8')))
  .map(({ file, line, phrase, instead }) => `${file}:${line} “${phrase}”: write ${instead}`);

describe('the prose of the repository', () => {
  it('uses no phrase that docs/writing.md replaces', () => {
    expect(found).toEqual([]);
  });
});

/** The phrases that are found in a file. */
function phrasesIn(file: string, source: string): readonly string[] {
  return replacedWords(file, source).map(({ line, phrase }) => `${line} ${phrase}`);
}

describe('replacedWords', () => {
  it('reads pages without their code', () => {
    const page = 'A page.\n\nIt stops by itself.\n```\nonce more\n```\n`settle`';
    expect(phrasesIn('docs/a.md', page)).toEqual(['3 by itself']);
  });

  it('reads comments, over their line breaks', () => {
    const source = '/**\n * Asks once\n * more.\n */\n// What a person\n// settles.\nconst person = 1;\n';
    expect(phrasesIn('src/a.ts', source)).toEqual(['1 once more', '5 settles', '5 person']);
  });

  it.each([
    ['text`Ask ${name} once more`;'],
    ["new UserError('Ask once more');"],
    ["passage(isLate ? 'Ask once more' : '');"],
    ['const a = <p title="Ask">Ask once more</p>;'],
    ['const a = <p title="Ask once more" />;'],
  ])('reads what users see: %s', (source) => {
    expect(phrasesIn('src/a.tsx', source)).toEqual(['1 once more']);
  });

  it('reads the names of tests, and not what they test with', () => {
    const source =
      "describe.each([1])('a person', () => {\n  it(`asks ${1} once more`, () => say('once more, so long'));\n});\n";
    expect(phrasesIn('test/unit/a.test.ts', source)).toEqual(['1 person', '2 once more']);
  });

  it('finds metaphors and unclear subjects in the names of tests', () => {
    const source = "it('tells the user', () => {});\nit('is read by nobody', () => {});\n// It tells the user.\n";
    expect(phrasesIn('test/unit/a.test.ts', source)).toEqual(['1 tells', '2 nobody']);
  });

  it('finds “nobody” in the folders that were read for it', () => {
    const source = '// A body that nobody reads.\n';
    expect(phrasesIn('src/api/a.ts', source)).toEqual(['1 nobody']);
    expect(phrasesIn('src/model/a.ts', source)).toEqual(['1 nobody']);
    expect(phrasesIn('test/support/a.ts', source)).toEqual([]);
  });

  it.each(['So long as it runs.', 'There is no such branch.', 'It is no longer there.', 'There are no rows.'])(
    'accepts: %s',
    (sentence) => {
      expect(phrasesIn('docs/a.md', sentence)).toEqual([]);
    },
  );

  it.each([
    ['It is no web page.', 'is no web'],
    ['They are no rows.', 'are no rows'],
    ['Drawn anew.', 'anew'],
    ['It tells of a change.', 'tells of'],
    ['It goes on with it.', 'goes on with'],
    ['For so long it waits.', 'so long'],
    ['Somebody waits.', 'Somebody'],
    ['It knows who asks.', 'who asks'],
    ['All but the one.', 'but the one'],
    ['It minds that.', 'minds'],
  ])('finds the phrase in: %s', (sentence, phrase) => {
    expect(phrasesIn('docs/a.md', sentence)).toEqual([`1 ${phrase}`]);
  });
});
