import { describe, expect, it } from 'vitest';
import { type CommitInput, commitInputOf } from '#features/history/commit-input.ts';

const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };
const services = {
  syncs: { ofFolder: (folderId: string) => (folderId === 'file:///shop' ? { target } : undefined) },
} as unknown as Parameters<typeof commitInputOf>[0];

describe('the input of a commit in Source Control', () => {
  it('is the box below the button that asked for it, of the branch of its folder', () => {
    const inputBox = { value: 'Why' };
    const input = commitInputOf(services, { folderId: 'file:///shop', inputBox });
    expect(input).toEqual({ ...target, inputBox });
    expect(input?.inputBox).toBe(inputBox);
  });

  it('is the box whose key was pressed, recognised by its shape: the commands are a bundle of their own', () => {
    const inputBox = { value: 'Why' };
    const input = commitInputOf(services, { ...target, inputBox, to: 'main' } satisfies CommitInput);
    expect(input).toEqual({ ...target, inputBox, to: 'main' });
    expect(input?.inputBox).toBe(inputBox);
  });

  it.each([
    [undefined],
    [{ folderId: 'file:///shop' }],
    [{ folderId: 'file:///other', inputBox: { value: '' } }],
    [target],
  ])('is none for what other menus pass: %j', (argument) => {
    expect(commitInputOf(services, argument)).toBeUndefined();
  });
});
