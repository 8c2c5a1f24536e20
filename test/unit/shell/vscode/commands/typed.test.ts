import { describe, expect, it } from 'vitest';
import type { CommandArguments, CommandId } from '#shell/commands/commands.ts';
import { branchTarget, commitTarget, deploymentTarget, eitherOf, environmentTarget } from '#shell/targets.ts';
import { UserError } from '#shell/user-error.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import type { Commands } from '#shell/commands/commands.ts';

const branch = { accountId: 'a', deploymentId: '1', branchName: 'dev-a' };

/** Stands for the function that runs a command: the same signature, but it only shows what it was given. */
const execute = <Id extends CommandId>(id: Id, ...args: CommandArguments<Id>): readonly unknown[] => [id, ...args];

describe('a call of a command', () => {
  it('takes what the command acts on, and nothing else compiles', () => {
    expect(execute('modelbench.branch.compare', { ...branch, against: 'main' })).toHaveLength(2);
    expect(execute('modelbench.showLog')).toHaveLength(1);
    // @ts-expect-error No command has this id.
    execute('modelbench.doesNotExist');
    // @ts-expect-error A deployment is not a branch.
    execute('modelbench.branch.compare', { accountId: 'a', deploymentId: '1' });
    // @ts-expect-error It acts on nothing that a caller could name.
    execute('modelbench.showLog', branch);
    // @ts-expect-error Text is not a target.
    execute('modelbench.push', 'folder');
  });

  it('is checked in the button of an error, too', () => {
    const error = new UserError('Sign in again.', { title: 'Sign In', command: 'modelbench.signIn', argument: branch });
    expect(error.action?.argument).toEqual(branch);
    const argument = { branchName: 'dev-a' };
    // @ts-expect-error The name of a branch names no account.
    expect(new UserError('Sign in.', { title: '', command: 'modelbench.signIn', argument })).toBeDefined();
  });
});

describe('the handlers of an area', () => {
  it('take what their commands act on, and all of them have to be there', () => {
    type Area = Pick<Commands, 'modelbench.push' | 'modelbench.showLog'>;
    const whole: Handlers<Area> = { 'modelbench.push': (folder) => folder?.folderId, 'modelbench.showLog': () => 0 };
    expect(Object.keys(whole)).toHaveLength(2);
    // @ts-expect-error One handler is missing.
    const half: Handlers<Area> = { 'modelbench.push': () => 0 };
    // @ts-expect-error A folder is not a branch.
    const wrong: Handlers<Area> = { ...whole, 'modelbench.push': (target) => target?.branchName };
    expect([half, wrong]).toHaveLength(2);
  });
});

describe('what a menu or another extension passes', () => {
  it('is read as what the command acts on, and as nothing otherwise', () => {
    const row = { ...branch, kind: 'branch', id: 'branches/dev-a', children: [] };
    expect(branchTarget(row)).toEqual(branch);
    const read = eitherOf(branchTarget, deploymentTarget);
    expect(read({ ...row, branchName: undefined })).toEqual({ accountId: 'a', deploymentId: '1' });
    for (const wrong of [undefined, null, 1, 'dev-a', [], {}, { branchName: 'dev-a' }, { ...branch, accountId: 7 }]) {
      expect(read(wrong)).toBeUndefined();
    }
    expect(environmentTarget({ ...branch, environmentId: 5 })).toEqual({ accountId: 'a', deploymentId: '1' });
  });

  it('keeps the input in which a message was typed', () => {
    const inputBox = { value: 'message' };
    expect(commitTarget({ folderId: 'file:///f', inputBox })?.inputBox).toBe(inputBox);
    expect(commitTarget({ folderId: 'file:///f', inputBox: 'message' })).toBeUndefined();
    expect(commitTarget({ folderId: 'file:///f', inputBox, to: 'returns' })?.to).toBe('returns');
    expect(commitTarget({ folderId: 'file:///f', inputBox, to: 7 })?.to).toBeUndefined();
  });
});
