import { describe, expect, it } from 'vitest';
import { buildSource, linesDown, saysSame, saysUnreadable, wholeLine } from '#features/builds/build-staleness.ts';

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

  // @shows stale-build-errors
  it('moves with all that one edit changes', () => {
    const changes = [
      { range: at(2, 0), text: 'b\n' },
      { range: at(0, 0), text: 'a\n' },
    ];
    expect(linesDown(at(3, 4, 3, 9), changes)).toBe(2);
  });
});

describe('the place of a problem that an earlier version of the file had', () => {
  it.each([
    ['a line without its indentation', 1, at(1, 4, 1, 18)],
    ['a line that is empty', 2, at(2, 0)],
    ['a line that the text does not have', 7, at(7, 0)],
  ])('is the whole of %s, never a part of a word', (_what, line, place) => {
    expect(wholeLine('cubes:\r\n    sql: somewhere \r\n', line)).toEqual(place);
  });

  it.each([
    ['a line that is blank', '- a\n   \n- b', 1, at(1, 0)],
    ['a line after old line ends', 'cubes:\r\tsql: x\r', 1, at(1, 1, 1, 7)],
    ['a last line without an end, with a character of two units', 'a\n  "😀"', 1, at(1, 2, 1, 6)],
  ])('is the whole of %s', (_what, text, line, place) => {
    expect(wholeLine(text, line)).toEqual(place);
  });
});

describe('saysUnreadable', () => {
  it('recognises our own syntax problem, with and without a link to its page', () => {
    expect(saysUnreadable({ source: 'modelbench', code: 'yaml-syntax' })).toBe(true);
    expect(saysUnreadable({ source: 'modelbench', code: { value: 'yaml-syntax', target: 'page' } })).toBe(true);
  });

  it.each(['script-syntax', 'jinja-syntax', 'tab-indent', 'conflict-marker'])(
    'recognises what keeps scripts, templates and merged files from being read: %s',
    (code) => {
      expect(saysUnreadable({ source: 'modelbench', code })).toBe(true);
    },
  );

  it('leaves every other problem beside those of a build', () => {
    expect(saysUnreadable({ source: 'modelbench', code: 'wrong-type' })).toBe(false);
    expect(saysUnreadable({ source: 'YAML', code: 0 })).toBe(false);
    expect(saysUnreadable({})).toBe(false);
  });
});

describe('saysSame', () => {
  const built = { message: 'orders cube: (sql) is strange', range: at(3, 4, 3, 9) };
  const own = { source: 'modelbench', code: 'engine', range: at(3, 0, 3, 2) };

  // @shows validate-on-save
  it('recognises what a compiler said of the same line', () => {
    expect(saysSame({ ...own, message: '"sql" is strange\nFound by the platform.' }, built)).toBe(true);
  });

  it.each([
    ['another line', { ...own, message: '"sql" is strange', range: at(4, 0, 4, 2) }],
    ['another error', { ...own, message: '"sql" is odd' }],
    ['a check of our own', { ...own, message: '"sql" is strange', code: 'wrong-type' }],
  ])('leaves %s beside it', (_what, other) => {
    expect(saysSame(other, built)).toBe(false);
  });

  const refused = {
    message: 'orders cube: "dimensions.channel" does not match\n * (dimensions.channel.type = strng) must be [string]',
    range: at(3, 4, 3, 9),
  };
  const check = { source: 'modelbench', code: 'bad-value', severity: 0, range: refused.range };

  it.each([
    ['at the same place', { ...check, message: '`strng` is not allowed here.' }],
    ['about a member by its whole name', { ...check, message: 'There is no “dimensions.channel”.' }],
    ['about a part of the place', { ...check, message: '`strng` is not allowed here.', range: at(3, 6, 3, 7) }],
  ])('recognises an error of our own %s', (_what, problem) => {
    expect(saysSame(problem, refused)).toBe(true);
  });

  it.each([
    ['about another name', { ...check, message: '`strn` is not allowed here.' }],
    ['that names nothing', { ...check, message: 'A value is missing.' }],
    ['that is only a warning', { ...check, message: '`strng` is not allowed here.', severity: 1 }],
    ['of another extension', { ...check, message: '`strng` is not allowed here.', source: 'yaml' }],
    ['further right', { ...check, message: '`strng` is not allowed here.', range: at(3, 10, 3, 12) }],
    ['in another line', { ...check, message: '`strng` is not allowed here.', range: at(2, 4, 2, 9) }],
  ])('leaves the build’s error beside one %s', (_what, problem) => {
    expect(saysSame(problem, refused)).toBe(false);
  });
});

describe('saysSame, where the build says it in other words or at another place', () => {
  const own = { source: 'modelbench', severity: 0, range: at(7, 4, 7, 9) };
  const value = { message: '"dimensions.status.type" must be one of [string, number]', range: at(7, 4, 7, 9) };
  const missing = { message: "orders cube: Cube userz doesn't exist", range: at(1, 4, 1, 10) };
  const nowhere = { message: 'Failed to parse an expression', range: at(0, 0, 0, 6) };

  it.each([
    ['a value that may not be there', { ...own, code: 'bad-value', message: '`strng` is not allowed here.' }, value],
    ['a name that does not exist, used elsewhere', { ...own, message: 'There is no cube `userz`.' }, missing],
    ['any error, where the build says no more than the file', { ...own, message: 'A brace is missing.' }, nowhere],
  ])('recognises %s', (_what, problem, built) => {
    expect(saysSame(problem, built)).toBe(true);
  });

  it.each([
    ['a value in another line', { ...own, code: 'bad-value', message: '`x` is not allowed.', range: at(6, 4) }, value],
    ['another error about the value', { ...own, code: 'bad-name', message: '`x` is not a name.' }, value],
    ['another name', { ...own, message: 'There is no cube `user`. Did you mean `userz`?' }, missing],
    ['a warning', { ...own, message: 'There is no cube `userz`.', severity: 1 }, missing],
    ['a warning, where the build says no more than the file', { ...own, message: 'Old.', severity: 1 }, nowhere],
  ])('leaves the error of the build beside %s', (_what, problem, built) => {
    expect(saysSame(problem, built)).toBe(false);
  });
});

describe('who says a problem of a build', () => {
  // @shows stale-build-errors
  it('is the build of its branch, without a commit that may never have held the text', () => {
    expect(buildSource('dev-ann')).toBe('Modelbench build of dev-ann');
  });
});
