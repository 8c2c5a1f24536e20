import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageOf, refusalOf } from '#api/client/refusal.ts';
import { retryAfterSeconds, retryPause } from '#api/client/retry.ts';
import { defaultLimits } from '#api/client/client.ts';
import { PlatformError } from '#api/errors.ts';

describe('a refusal', () => {
  const codes = [400, 403, 409];
  it.each([
    ['Files can only be changed on a dev branch', 'forbidden', 'readOnlyBranch'],
    ['Branch main is not a dev mode branch', 'forbidden', 'readOnlyBranch'],
    ['Writes are allowed only in development mode', 'forbidden', 'readOnlyBranch'],
    ['Dev mode is not active for this branch', 'forbidden', 'readOnlyBranch'],
    ['Only shared branches can have a staging environment', 'forbidden', 'stagingNotAllowed'],
    ['The production branch cannot have a staging environment', 'forbidden', 'stagingNotAllowed'],
    [
      'Branch "dev-x" is another person\'s dev-mode branch: start dev mode on its parent instead.',
      'forbidden',
      'othersBranch',
    ],
    ['Branch "dev-x" is not an active dev-mode branch: start dev mode on it again.', 'forbidden', 'readOnlyBranch'],
    ['The API key is not allowed to use deployment 7.', 'forbidden', 'outOfScope'],
    ['The API key is limited to some deployments: use one for all deployments.', 'forbidden', 'outOfScope'],
    ['Streaming for thread is in progress', 'conflict', 'threadBusy'],
    ['agentId is required for Api-Key authentication', 'forbidden', 'agentRequired'],
    ['This key is scoped to other deployments', 'forbidden', 'outOfScope'],
  ])('%j means the same whatever its status', (error, kind, reason) => {
    for (const status of codes) expect(refusalOf(status, { error }, error)).toEqual({ kind, reason });
  });

  it.each([
    ['Branch "feature" has moved since "dev-x" last took its changes: pull, then commit.', 'parentMoved'],
    ['The parent branch has moved: pull first', 'parentMoved'],
    ['The branch has uncommitted changes', 'uncommittedWork'],
    ['There is nothing to commit on "dev-x".', 'nothingToCommit'],
    ['Nothing changed since the last commit', 'nothingToCommit'],
    ['nothing to commit, working tree clean', 'nothingToCommit'],
    ['There are no staged changes to commit.', 'nothingToCommit'],
    ['No changes were found to be committed', 'nothingToCommit'],
    ['Already up to date.', 'nothingToDo'],
    ['The branch is already up-to-date with its parent', 'nothingToDo'],
    ['There are no new changes to merge into "main".', 'nothingToDo'],
    ['Nothing to pull', 'nothingToDo'],
    ['Make sure that there are no uncommitted changes, then merge.', 'uncommittedWork'],
    ['The branch must be up to date: pull first', 'parentMoved'],
  ])('of a Git step is classed by its status, its words are a hint: %s', (error, reason) => {
    const kinds = [400, 403, 409].map((status) => refusalOf(status, { error }, error));
    expect(kinds).toEqual([
      { kind: 'invalidRequest', reason },
      { kind: 'forbidden', reason },
      { kind: 'conflict', reason },
    ]);
  });

  it('with conflicting paths is a Git conflict', () => {
    expect(refusalOf(409, { error: 'x', conflicts: ['a'] }, 'x')).toEqual({ kind: 'conflict', reason: 'gitConflict' });
    expect(refusalOf(409, { error: 'x', conflicts: [] }, 'x')).toEqual({ kind: 'conflict' });
  });

  it('is never read out of an authentication or server error', () => {
    const said = 'Streaming for thread is in progress';
    expect([refusalOf(401, {}, said), refusalOf(500, {}, said)]).toEqual([{ kind: 'auth' }, { kind: 'server' }]);
  });

  it.each([
    'releaseChannelVersion is not on the list of versions',
    'Name is required',
    'Invalid cron expression',
    'Unknown folder',
  ])('in other words (%s) has no reason', (said) => {
    expect(refusalOf(400, {}, said)).toEqual({ kind: 'invalidRequest' });
  });

  it.each([
    [{ error: 'a' }, 'a'],
    [{ message: 'b' }, 'b'],
    [{ error: { message: 'c' } }, 'c'],
    [{ error: '', message: 'd' }, 'd'],
    [{ detail: 'e' }, 'e'],
    [{ error: 'two\n  lines' }, 'two lines'],
    [{ error: 5 }, undefined],
    ['text', 'text'],
    ['<!doctype html><p>text', undefined],
    [undefined, undefined],
    [null, undefined],
    [['a', { message: 'b' }], 'a; b'],
    [{ errors: [{ message: 'a' }, { message: 'b' }] }, 'a; b'],
    [{ errors: [] }, undefined],
    [{ detail: [{ loc: ['body', 'name'], msg: 'Field required', type: 'missing' }] }, 'Field required'],
    [{ error: { error: 'deep' } }, 'deep'],
    [{ error: { errors: [{ message: 'deep' }] } }, 'deep'],
    [{ statusCode: 400, message: ['a', 'b'], error: 'Bad Request' }, 'a; b'],
    [{ timestamp: 1, status: 400, error: 'Bad Request', message: 'a' }, 'a'],
    [{ statusCode: 400, error: 'Bad Request' }, 'Bad Request'],
    [{ error: 'invalid_grant', error_description: 'The code has expired' }, 'The code has expired'],
    [{ error: 'a', message: 'b' }, 'a'],
  ])('keeps its words in %j', (body, expected) => {
    expect(messageOf(body)).toBe(expected);
  });

  it('of any length is shown in one short line', () => {
    const long = fc.string({ minLength: 500, maxLength: 5000 }).filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(long, (error) => {
        const said = messageOf({ error }) ?? '';
        expect([said.length > 0, said.length <= 601, said.includes('\n')]).toEqual([true, true, false]);
      }),
    );
  });
});

describe('a pause', () => {
  const get = { method: 'GET' } as const;
  const failure = (init: Partial<PlatformError>): PlatformError =>
    new PlatformError({ kind: 'server', operation: 'x', message: 'm', retryable: true, ...init });

  it('lies between nothing and the doubling ceiling, which has a limit', () => {
    const input = fc.record({
      attempt: fc.integer({ min: 1, max: 50 }),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    });
    fc.assert(
      fc.property(input, ({ attempt, random }) => {
        const limits = { ...defaultLimits, attempts: 100 };
        const pause = retryPause(get, failure({}), attempt, limits, () => random) ?? -1;
        expect(pause).toBeGreaterThanOrEqual(0);
        expect(pause).toBeLessThanOrEqual(Math.min(limits.maxBackoffMs, limits.backoffMs * 2 ** (attempt - 1)));
      }),
    );
  });

  it('ends with the attempts', () => {
    expect(retryPause(get, failure({}), defaultLimits.attempts, defaultLimits, () => 0)).toBeUndefined();
  });

  it.each([
    ['5', 5],
    [' 5 ', 5],
    ['0', 0],
    ['86400000000', 999_999_999],
    ['9'.repeat(400), 999_999_999],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 999_999_999],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
    ['Thu, 01 Jan 1970 00:00:10 GMT', 9],
    ['Wed, 31 Dec 1969 23:59:00 GMT', 0],
  ])('by Retry-After %j is %j s', (header, expected) => {
    expect(retryAfterSeconds(header, 1000)).toBe(expected);
  });
});
