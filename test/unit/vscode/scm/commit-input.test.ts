import { describe, expect, it } from 'vitest';
import { CommitInput, commitInputOf } from '#vscode/scm/commit-input.ts';

const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };
const services = {
  syncs: { ofFolder: (folderId: string) => (folderId === 'file:///shop' ? { target } : undefined) },
} as unknown as Parameters<typeof commitInputOf>[0];

describe('the input of a commit in Source Control', () => {
  it('is read by the button above it, and emptied when its message was used', () => {
    const inputBox = { value: '  Why  ' };
    const input = commitInputOf(services, { folderId: 'file:///shop', inputBox });
    expect(input).toMatchObject({ ...target, message: 'Why' });
    input?.clear();
    expect(inputBox.value).toBe('');
  });

  it('is the one that its key passed', () => {
    const input = new CommitInput(target, { value: 'Why' });
    expect(commitInputOf(services, input)).toBe(input);
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
