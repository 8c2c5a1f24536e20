import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { isNewOnBranch, takeBackFile } from '#features/builds/new-files.ts';
import { openSyncDesk } from '#support/sync-desk.ts';

const added = 'model/cubes/proposed.yml';
const known = 'model/cubes/orders.yml';
const text = 'cubes: [] # proposed\n';

/** A window in dev mode with everything of the branch here. */
async function working() {
  const desk = await openSyncDesk();
  const location = { accountId: desk.account.id, deploymentId: '1', branchName: 'main' };
  const { branchName } = await startDevMode(desk, location);
  await desk.syncs.reconcile();
  const { sync, folder } = desk.only();
  await sync.pull(await sync.plan(), 'all');
  return {
    sync,
    write: async (path: string) => {
      desk.write(path, text);
      sync.onSaved([path]);
      await sync.flush();
    },
    remove: (path: string) => rmSync(fileURLToPath(`${folder.folderId}/${path}`)),
    remote: () => desk.platform.control.readFile(1, branchName, added),
  };
}

describe('a file that was made here', () => {
  it('leaves nothing when it is taken back: neither on the branch nor in the push plan', async () => {
    const { sync, write, remove, remote } = await working();
    expect(await isNewOnBranch(sync, added)).toBe(true);
    await write(added);
    expect(await remote()).toBe(text);
    remove(added);
    await takeBackFile(sync, added);
    expect(await remote()).toBeUndefined();
    expect(sync.status.value.localChanges).toEqual([]);
    expect(await isNewOnBranch(sync, added)).toBe(true);
  });

  it('is not new where the branch had it, also when it was deleted here and that is not pushed', async () => {
    const { sync, remove } = await working();
    remove(known);
    expect(await isNewOnBranch(sync, known)).toBe(false);
  });

  it('takes no other deletion along, and none of a file that is here', async () => {
    const { sync, write, remove, remote } = await working();
    await write(added);
    await takeBackFile(sync, added);
    expect(await remote()).toBe(text);
    remove(added);
    remove(known);
    await takeBackFile(sync, added);
    expect(sync.status.value.localChanges).toMatchObject([{ kind: 'deleteRemote', path: known }]);
  });
});
