import { describe, expect, it } from 'vitest';
import { writeDataModelFiles } from '#api/data-model.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { type PullPorts, pullParent } from '#features/history/pull-parent.ts';
import { openDesk } from '#support/features.ts';

const file = 'model/cubes/orders.yml';
const input = { message: '', options: [], typed: '' };

/** A dev branch of a shared branch that resolved what `main` changed; `protects` says which branch the settings protect. */
async function scene(protects: string, isConfirmed = true) {
  // The parent of the dev branch, once another window has changed it.
  const now: { parent?: string } = {};
  const desk = await openDesk({
    through: async (request, send) => {
      const answer = await send(request);
      if (now.parent === undefined || !new URL(request.url).pathname.endsWith('/branches')) return answer;
      return Response.json([
        { name: 'main' },
        { name: 'returns-model', parentBranch: 'main' },
        { name: now.parent, parentBranch: 'main' },
        { name: target.branchName, parentBranch: now.parent },
      ]);
    },
  });
  const { data, client, platform } = desk;
  const shared = { accountId: desk.account.id, deploymentId: '1', branchName: 'returns-model' };
  const target = await startDevMode(desk, shared);
  const body = { branchName: target.branchName, files: [{ path: file, content: 'cubes: [] # mine\n' }] };
  await client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
  const asked: string[] = [];
  const ports = {
    data,
    gate: {
      isProtected: ({ branchName }: { readonly branchName: string }) => branchName === protects,
      confirm: async ({ title }: { readonly title: string }) => Promise.resolve(asked.push(title) > 0),
      confirmStep: async (_: unknown, { title }: { readonly title: string }) => {
        asked.push(`page: ${title}`);
        return Promise.resolve(isConfirmed ? input : undefined);
      },
      say: (hint: string) => asked.push(hint),
    },
    syncs: { ofBranch: () => [] },
    resolved: {
      attempts: { of: () => ({ from: 'main', files: [{ path: file, settled: '' }] }) },
      syncs: { ofBranch: () => [{ folder: { folderId: 'file:///shop' } }] },
      remote: { refresh: async () => Promise.resolve() },
      branchFiles: { list: async () => Promise.resolve(new Map()) },
    },
    resolvedPulls: { pull: async (_place: unknown, _files: unknown, bring?: () => unknown) => bring?.() },
    run: async (_target: unknown, _step: unknown, work: () => Promise<{ readonly ok: boolean }>) => (await work()).ok,
  } as unknown as PullPorts;
  const onShared = async (): Promise<string | undefined> =>
    Promise.resolve(platform.control.readFile(1, shared.branchName, file));
  return { asked, now, onShared, pull: async () => pullParent(ports, target) };
}

describe('pullParent', () => {
  const merge = 'Merge “main” into “returns-model”?';

  it('takes what comes from further up through the parent, once the user agrees', async () => {
    const { asked, onShared, pull } = await scene('');
    expect(await pull()).toBe(true);
    expect(asked).toEqual([merge]);
    expect(await onShared()).toBe('cubes: [] # mine\n');
  });

  it('sends nothing where the branch has another parent since', async () => {
    const { asked, now, onShared, pull } = await scene('');
    const before = await onShared();
    asked.push = (...titles: string[]) => {
      now.parent = 'customers-model';
      return titles.length;
    };
    await expect(pull()).rejects.toThrow('is no longer “returns-model”, so nothing was sent');
    expect(await onShared()).toBe(before);
  });

  it('shows the commit to a protected parent on its page', async () => {
    const { asked, pull } = await scene('returns-model');
    expect(await pull()).toBe(true);
    expect(asked).toEqual([merge, expect.stringMatching(/^page: Commit to returns-model/)]);
  });

  it('sends nothing where that page is closed', async () => {
    const { onShared, pull } = await scene('returns-model', false);
    const before = await onShared();
    expect(await pull()).toBe(false);
    expect(await onShared()).toBe(before);
  });
});
