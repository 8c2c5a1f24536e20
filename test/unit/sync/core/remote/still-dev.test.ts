import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { finishUpload, uploadFile } from '#api/resources/upload.ts';
import { deleteDataModelFiles, renameDataModelFiles, writeDataModelFiles } from '#api/resources/data-model.ts';
import { deployBranchOf } from '#features/platform/branches.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { branchRemote } from '#features/folders/branch-remote.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { demo } from '#platform/seed/names.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { builtFrom, type ListedBranch, listingBranches } from '#support/listed-branches.ts';
import { Wire } from '#support/wire/wire.ts';
import type { DeployAccess } from '#sync/core/remote/platform-remote.ts';
import type { RemoteWriter } from '#sync/core/ports.ts';
import { deployBranch } from '#sync/core/target.ts';

let desk: Desk;
let wire: Wire;
let dev: BranchTarget;
/** How the platform lists a branch. */
let listed: (branch: ListedBranch) => ListedBranch;
let listing: 'works' | 'fails';

beforeEach(async () => {
  wire = new Wire();
  listed = (branch) => branch;
  listing = 'works';
  const changed = listingBranches((branch) => listed(branch));
  desk = await openDesk({
    through: async (request, send) => {
      wire.note(request);
      const isList = request.method === 'GET' && request.url.endsWith('/branches');
      return isList && listing === 'fails' ? Response.json({ error: 'no' }, { status: 403 }) : changed(request, send);
    },
  });
  dev = await startDevMode(desk, { accountId: desk.account.id, deploymentId: String(demo.shop), branchName: 'main' });
});

const bytes = new TextEncoder().encode('cubes: []\n');
const sha1 = createHash('sha1').update(bytes).digest('hex');
const path = 'model/cubes/new.yml';

function writer(target: BranchTarget, deploy?: DeployAccess): RemoteWriter {
  const side = branchRemote(desk.data, target, 'model', deploy);
  if (!('put' in side)) throw new Error(`${target.branchName} cannot be written to.`);
  return side;
}

describe('an upload to a dev branch', () => {
  it.each([
    ['has its parent', 'main'],
    ['lost its parent, and another branch is production', null],
  ])('is finished where the branch %s', async (_name, parentBranch) => {
    listed = (branch) => (branch.name === dev.branchName ? { ...branch, parentBranch } : branch);
    const side = writer(dev);
    const { files, others } = await side.list();
    const upload = await side.startUpload();
    await upload.upload(path, bytes);
    const manifest = new Map([...others, ...[...files].map(([name, { hash }]) => [name, hash] as const), [path, sha1]]);
    expect(await upload.finish(manifest, false)).toEqual({ kind: 'done' });
    const { id } = await side.startUpload();
    const resumed = writer(dev).resumeUpload(id);
    await resumed.upload(path, bytes);
    expect(await resumed.finish(manifest, false)).toEqual({ kind: 'done' });
  });

  it('is not begun where production is built from the branch by now', async () => {
    const side = writer(dev);
    listed = builtFrom(dev.branchName);
    await expect(side.startUpload()).rejects.toThrow(/^Production is built from “dev-\S+”, so nothing is pushed to it/);
    expect(await wire.last(uploadFile)).toBeUndefined();
  });

  it('of an earlier run is not finished where production is built from the branch by now', async () => {
    const { id } = await writer(dev).startUpload();
    listed = builtFrom(dev.branchName);
    await expect(writer(dev).resumeUpload(id).finish(new Map(), false)).rejects.toThrow(/^Production is built from/);
    expect(await wire.last(finishUpload)).toBeUndefined();
  });

  it('is not begun where the branches cannot be read', async () => {
    listing = 'fails';
    await expect(writer(dev).startUpload()).rejects.toThrow(/branches/);
    expect(await wire.last(uploadFile)).toBeUndefined();
  });
});

describe('a deletion or a rename of single files of a dev branch', () => {
  const writes = [
    ['remove', deleteDataModelFiles, (side: RemoteWriter) => side.remove([{ path, expected: sha1 }])],
    [
      'rename',
      renameDataModelFiles,
      (side: RemoteWriter) => side.rename([{ from: path, to: `${path}2`, expected: sha1 }]),
    ],
  ] as const;

  it.each(writes)(
    'is not sent where production is built from the branch by now: %s',
    async (_name, operation, write) => {
      const side = writer(dev);
      listed = builtFrom(dev.branchName);
      await expect(write(side)).rejects.toThrow(/^Production is built from “dev-\S+”, so nothing is pushed to it/);
      expect(await wire.last(operation)).toBeUndefined();
    },
  );

  it.each(writes)('is not sent where the branches cannot be read: %s', async (_name, operation, write) => {
    listing = 'fails';
    await write(writer(dev)).catch((error: unknown) => error);
    expect(await wire.last(operation)).toBeUndefined();
  });

  it('is sent to a branch that has its parent', async () => {
    await writer(dev).remove([{ path, expected: sha1 }]);
    expect(await wire.last(deleteDataModelFiles)).toBeDefined();
  });
});

describe('a deploy branch', () => {
  it('cannot be written to without a confirmed deploy', () => {
    expect(() => writer({ ...dev, branchName: 'main' })).toThrow('main cannot be written to.');
  });

  async function deployed(isOpen: boolean): Promise<RemoteWriter> {
    const target = { ...dev, deploymentId: String(demo.cli) };
    const main = deployBranchOf(await desk.data.of(target).branches.get());
    const branch = deployBranch(main ?? { name: 'none', parentBranch: 'none' }, 'cli');
    if (!branch.ok) throw new Error(branch.error);
    return writer({ ...target, branchName: branch.value }, { branch: branch.value, isOpen });
  }

  it('gets no upload of an earlier run without a new confirmation', async () => {
    const { id } = await (await deployed(true)).startUpload();
    const closed = await deployed(false);
    await expect(closed.startUpload()).rejects.toThrow(/was not confirmed/);
    await expect(closed.resumeUpload(id).finish(new Map(), true)).rejects.toThrow(/was not confirmed/);
    expect(await wire.last(finishUpload)).toBeUndefined();
  });

  it('gets no single files, not even while a deploy is confirmed', async () => {
    const side = await deployed(true);
    await expect(side.put([{ path, bytes, hash: sha1, expected: undefined }])).rejects.toThrow(/only whole uploads/);
    await expect(side.remove([{ path, expected: sha1 }])).rejects.toThrow(/only whole uploads/);
    await expect(side.rename([{ from: path, to: `${path}2`, expected: sha1 }])).rejects.toThrow(/only whole uploads/);
    for (const operation of [writeDataModelFiles, deleteDataModelFiles, renameDataModelFiles])
      expect(await wire.last(operation)).toBeUndefined();
  });
});
