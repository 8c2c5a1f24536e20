import { describe, expect, it } from 'vitest';
import { PlatformError } from '#api/errors.ts';
import { CancelledError } from '#base/async.ts';
import { errorTexts, failureOf } from '#shell/error-texts.ts';
import { refreshCommands } from '#shell/refresh-commands.ts';
import { Operations, type ShowProgress } from '#shell/operations.ts';
import { Hint, UserError } from '#shell/user-error.ts';

const platformError = (kind: ConstructorParameters<typeof PlatformError>[0]['kind']): PlatformError =>
  new PlatformError({ kind, operation: 'listBranches', message: 'It did not work.' });

describe('error words', () => {
  it('keeps quiet about what was cancelled', () => {
    expect(errorTexts(new CancelledError())).toEqual({ kind: 'silent' });
    expect(errorTexts(platformError('cancelled'))).toEqual({ kind: 'silent' });
    expect(failureOf(new CancelledError())).toBeUndefined();
  });

  it('says in a row what kind of failure it is, and the rest beside it', () => {
    expect(failureOf(platformError('network'))).toEqual({ title: 'Cannot be reached', message: 'It did not work.' });
    expect(failureOf(new UserError('Link first.'))).toEqual({ title: 'Failed', message: 'Link first.' });
    expect(failureOf(undefined)).toBeUndefined();
  });

  it('gives an expected error its message and the action that helps', () => {
    const action = { title: 'Link Folder', command: 'modelbench.linkFolder' } as const;
    expect(errorTexts(new UserError('Link first.', action))).toEqual({
      kind: 'expected',
      message: 'Link first.',
      action,
      repeats: false,
    });
    expect(errorTexts(platformError('auth'))).toMatchObject({ kind: 'expected', action: { title: 'Sign In' } });
    expect(errorTexts(platformError('conflict'))).toMatchObject({ kind: 'expected', action: undefined });
    const init = { kind: 'conflict', operation: 'mergeToDefault', message: 'Commit first.' } as const;
    const refused = new PlatformError({ ...init, reason: 'uncommittedWork' });
    expect(errorTexts(refused)).toMatchObject({ action: { title: 'Commit…', command: 'modelbench.commit' } });
    const behind = new PlatformError({ ...init, reason: 'parentMoved' });
    expect(errorTexts(behind)).toMatchObject({ action: { title: 'Pull from Parent', command: 'modelbench.pull' } });
    expect(errorTexts(platformError('invalidResponse'))).toMatchObject({ action: { title: 'Show Log' } });
  });

  it('keeps a hint apart from an error', () => {
    const action = { title: 'Start Dev Mode', command: 'modelbench.devMode.start' } as const;
    const message = 'There are no conflicts.';
    expect(errorTexts(new Hint(message, action))).toEqual({ kind: 'hint', message, action });
    expect(failureOf(new Hint(message))).toEqual({ title: 'Failed', message });
  });

  it.each([
    ['nothingToCommit', 'There is nothing to commit.'],
    ['nothingToDo', 'There is nothing to do: both branches have the same content.'],
  ] as const)('calls a step whose result is there already a hint: %s', (reason, message) => {
    for (const [kind, status] of [
      ['invalidRequest', 400],
      ['conflict', 409],
      ['forbidden', 403],
    ] as const) {
      const thrown = new PlatformError({ kind, operation: 'commit', message: 'Refused.', status, reason });
      expect(errorTexts(thrown)).toMatchObject({ kind: 'hint', message });
    }
  });

  it.each([
    ['conflict', 409, true],
    ['forbidden', 403, true],
    ['invalidRequest', 400, true],
    ['network', undefined, true],
    ['invalidRequest', undefined, false],
    ['auth', 401, false],
    ['unsupported', undefined, false],
  ] as const)('says whether repeating may help: %s (status %s)', (kind, status, repeats) => {
    const error = new PlatformError({ kind, operation: 'merge', message: 'No.', status });
    expect(errorTexts(error)).toMatchObject({ repeats });
  });

  it('names the views to load again after each area of commands', () => {
    expect(refreshCommands('modelbench.administration.open')).toEqual(['modelbench.administration.refresh']);
    expect(refreshCommands('modelbench.deployment.dbtSync')).toEqual(['modelbench.deployments.refresh']);
    for (const id of ['modelbench.merge', 'link', 'drop'])
      expect(refreshCommands(id)).toContain('modelbench.branches.refresh');
  });

  it('calls everything else a bug', () => {
    expect(errorTexts(new TypeError('x is undefined'))).toEqual({ kind: 'bug', message: 'x is undefined' });
    expect(errorTexts('text')).toEqual({ kind: 'bug', message: 'text' });
  });
});

describe('operations', () => {
  const show: ShowProgress = (_label, _cancellable, work) =>
    work({ signal: new AbortController().signal, report: () => undefined });

  it('refuses a second one for the same branch and frees it afterwards, also after a failure', async () => {
    const operations = new Operations(show);
    let finish: () => void = () => undefined;
    const first = operations.run({
      label: 'Pushing',
      key: 'a',
      run: () => new Promise<void>((done) => (finish = done)),
    });
    await expect(operations.run({ label: 'Pulling', key: 'a', run: () => Promise.resolve() })).rejects.toThrow(
      'Pushing',
    );
    await expect(operations.run({ label: 'Pulling', key: 'b', run: () => Promise.resolve(1) })).resolves.toBe(1);
    finish();
    await first;
    const failing = operations.run({ label: 'Pulling', key: 'a', run: () => Promise.reject(new Error('no')) });
    await expect(failing).rejects.toThrow('no');
    await expect(operations.run({ label: 'Pulling', key: 'a', run: () => Promise.resolve(2) })).resolves.toBe(2);
  });
});
