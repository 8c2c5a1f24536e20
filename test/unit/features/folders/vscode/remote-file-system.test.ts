import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Accounts } from '#features/accounts/accounts.ts';
import type { BranchFiles } from '#features/folders/branch-files.ts';
import { shortId } from '#shell/short-id.ts';
import type { RemoteFileSystem as RemoteFiles } from '#features/folders/vscode/remote-file-system.ts';

vi.mock('vscode', async () => {
  class FileSystemError extends Error {
    static readonly Unavailable = (message: string): Error => new FileSystemError(message);
    static readonly NoPermissions = (message: string): Error => new FileSystemError(message);
  }
  const fake = await import('#support/fake-vscode.ts');
  const workspace = { ...fake.workspace, registerFileSystemProvider: () => ({ dispose: () => undefined }) };
  const Uri = { from: (parts: object) => ({ ...parts, toString: () => JSON.stringify(parts) }) };
  return { ...fake, FileSystemError, Uri, FileChangeType: { Changed: 1 }, workspace };
});

let RemoteFileSystem: typeof RemoteFiles;
beforeAll(async () => {
  vi.resetModules();
  ({ RemoteFileSystem } = await import('#features/folders/vscode/remote-file-system.ts'));
});
afterAll(() => vi.resetModules());

const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };

/** A file of an own dev branch; `agrees` answers the question before its first upload. */
function scene(agrees: () => boolean) {
  const done: string[] = [];
  const branchFiles = {
    write: async (_: unknown, path: string) => void done.push(`write ${path}`),
    remove: async (_: unknown, path: string) => void done.push(`remove ${path}`),
    rename: async (_: unknown, from: string, to: string) => void done.push(`rename ${from} ${to}`),
    list: async () => new Map(),
  } as unknown as BranchFiles;
  const accounts = { all: { value: [{ id: target.accountId }] } } as unknown as Accounts;
  const files = new RemoteFileSystem(branchFiles, accounts, {
    mayWrite: () => true,
    mayUpload: async () => Promise.resolve(agrees()),
  });
  const uri = (path: string) =>
    ({
      scheme: 'modelbench',
      authority: `1.${shortId(target.accountId)}`,
      path: `/${target.branchName}/${path}`,
      toString: () => path,
    }) as never;
  return { files, uri, done };
}

describe('files of an own dev branch without a local copy', () => {
  const changes: readonly (readonly [string, (at: ReturnType<typeof scene>) => Promise<void>])[] = [
    ['saved', async ({ files, uri }) => files.writeFile(uri('model/a.yml'), new Uint8Array())],
    ['deleted', async ({ files, uri }) => files.delete(uri('model/a.yml'))],
    ['renamed', async ({ files, uri }) => files.rename(uri('model/a.yml'), uri('model/b.yml'))],
  ];

  it.each(changes)('are not %s before the user agrees to uploads, and are asked about again', async (_, change) => {
    let agrees = false;
    const at = scene(() => agrees);
    await expect(change(at)).rejects.toThrow('because you did not agree to uploads');
    expect(at.done).toEqual([]);
    agrees = true;
    await change(at);
    expect(at.done).toHaveLength(1);
  });

  it('show a refused save until it is saved', async () => {
    let agrees = false;
    const { files, uri } = scene(() => agrees);
    await files.writeFile(uri('model/a.yml'), new Uint8Array()).catch(() => undefined);
    expect([...files.refused.value.keys()]).toEqual(['model/a.yml']);
    agrees = true;
    await files.writeFile(uri('model/a.yml'), new Uint8Array());
    expect(files.refused.value.size).toBe(0);
  });
});
