import { describe, expect, it } from 'vitest';
import { failedTests, fileTimes, slowestFiles } from '../../tools/slowest-files.ts';

describe('the slowest test files', () => {
  it('come longest first, no more than were asked for, with their share of all', () => {
    const files = [
      { path: 'a.test.ts', seconds: 2 },
      { path: 'b.test.ts', seconds: 30.25 },
      { path: 'c.test.ts', seconds: 7.75 },
    ];
    expect(slowestFiles(files, 2)).toEqual([
      'Slowest of 3 test files, which took 40.0 s together:',
      '30.3 s  76 % b.test.ts',
      ' 7.8 s  19 % c.test.ts',
    ]);
  });

  it('make no lines where no tests ran, and no share where nothing took any time', () => {
    expect(slowestFiles([])).toEqual([]);
    expect(slowestFiles([{ path: 'a.test.ts', seconds: 0 }])[1]).toBe('0.0 s   0 % a.test.ts');
  });

  it('have names from the root of the repository, and one that did not load took no time', () => {
    const reported = [
      { name: '/home/me/repo/test/unit/a.test.ts', startTime: 1000, endTime: 3500 },
      { name: '/home/me/repo/test/unit/b.test.ts', startTime: 1000, endTime: 0 },
    ];
    expect(fileTimes(reported, '/home/me/repo')).toEqual([
      { path: 'test/unit/a.test.ts', seconds: 2.5 },
      { path: 'test/unit/b.test.ts', seconds: 0 },
    ]);
  });
});

describe('tests that failed', () => {
  const file = { name: '/repository/test/a.test.ts', startTime: 0, endTime: 1 };

  it('have their file, their name and the first line of what they said', () => {
    const assertionResults = [
      { fullName: 'sums adds', status: 'passed' },
      { fullName: 'sums multiplies', status: 'failed', failureMessages: ['2 is not 3\n    at sums.ts:1'] },
      { fullName: 'sums divides', status: 'skipped' },
    ];
    expect(failedTests([{ ...file, assertionResults }], '/repository')).toEqual([
      'test/a.test.ts: sums multiplies: 2 is not 3',
      'test/a.test.ts: sums divides: skipped',
    ]);
  });

  it('are the whole file where it did not load', () => {
    const message = 'Cannot find module\n    at a.test.ts:1';
    expect(failedTests([{ ...file, message, assertionResults: [] }], '/repository')).toEqual([
      'test/a.test.ts: Cannot find module',
    ]);
  });
});
