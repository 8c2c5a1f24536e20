import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedText } from '#chat-core/changed-text.ts';

describe('changedText', () => {
  it('shows what changed of each file with the lines around it', () => {
    const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
    const text = changedText([
      { path: 'a.yml', before, after: before.replace('six', '6') },
      { path: 'new.yml', before: undefined, after: 'cubes: []\n' },
      { path: 'old.yml', before: 'x: 1\n', after: undefined },
    ]);
    expect(text).toMatchInlineSnapshot(`
      "--- a.yml
      +++ a.yml
      @@ -3,5 +3,5 @@
       three
       four
       five
      -six
      +6
       seven
      --- (new file)
      +++ new.yml
      @@ -1,0 +1,1 @@
      +cubes: []
      --- old.yml
      +++ (deleted)
      @@ -1,1 +1,0 @@
      -x: 1"
    `);
  });

  it('can be applied by its line numbers, whatever changed', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (from, to) => {
        const [before, after] = [from, to].map((each) => `${each.join('\n')}\n`);
        expect(applied(from, changedText([{ path: 'a.yml', before, after }]))).toEqual(to);
      }),
    );
  });
});

/** The lines after a difference whose hunks stand where their heads say. */
function applied(lines: readonly string[], text: string): readonly string[] {
  const result: string[] = [];
  let at = 0;
  for (const hunk of text.split(/^@@ /m).slice(1)) {
    const [head = '', ...body] = hunk.replace(/\n$/, '').split('\n');
    const [, start = '0', , begin = '0', size = '0'] = /^-(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(head) ?? [];
    result.push(...lines.slice(at, Number(start) - 1));
    expect(result).toHaveLength(Number(begin) - 1);
    const after = body.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
    expect(after).toHaveLength(Number(size));
    result.push(...after);
    at = Number(start) - 1 + body.filter((line) => !line.startsWith('+')).length;
  }
  return [...result, ...lines.slice(at)];
}
