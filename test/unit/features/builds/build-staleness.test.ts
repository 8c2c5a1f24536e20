import { describe, expect, it } from 'vitest';
import { buildSource, linesDown } from '#features/builds/build-staleness.ts';

const at = (line: number, character: number, endLine = line, endCharacter = character) => ({
  start: { line, character },
  end: { line: endLine, character: endCharacter },
});

describe('the place of a problem in a text that is edited', () => {
  it.each([
    ['a line above', at(0, 0), 'new\n', 1],
    ['two lines taken away above', at(0, 0, 2, 0), '', -2],
    ['a line typed at its own start', at(3, 4), '\n    ', 1],
    ['a word above', at(1, 3, 1, 5), 'word', 0],
    ['what is inside', at(3, 6), 'x\ny', 0],
    ['what is below', at(4, 0), '\n\n', 0],
  ])('moves with %s', (_what, range, text, down) => {
    expect(linesDown(at(3, 4, 3, 9), [{ range, text }])).toBe(down);
  });

  it('moves with all that one edit changes', () => {
    const changes = [
      { range: at(2, 0), text: 'b\n' },
      { range: at(0, 0), text: 'a\n' },
    ];
    expect(linesDown(at(3, 4, 3, 9), changes)).toBe(2);
  });
});

describe('who says a problem of a build', () => {
  it('is the build, with its commit where that is known', () => {
    expect(buildSource('dev-ann', 'a1b2c3d')).toBe('Modelbench build of dev-ann at a1b2c3d');
    expect(buildSource('dev-ann', undefined)).toBe('Modelbench build of dev-ann');
  });
});
