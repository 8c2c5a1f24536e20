import { describe, expect, it } from 'vitest';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { readBranchWrite, readCheckedStep } from '#features/platform/gated-branch.ts';
import { productionGate } from '#features/platform/production-gate.ts';
import { BuildChecks } from '#features/platform/sent-build.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { listingOnly } from '#support/listed-branches.ts';

const dev = 'dev-ada-1';

/** A desk whose platform lists exactly these branches, by name and parent. */
function listed(...branches: readonly (readonly [name: string, parent: string | null])[]): Promise<Desk> {
  return openDesk({ through: listingOnly(branches.map(([name, parentBranch]) => ({ name, parentBranch }))) });
}

function read({ data, account }: Desk, step: 'commit' | 'merge' | 'mergeToDefault', branchName = dev) {
  const target = { accountId: account.id, deploymentId: '1', branchName };
  return readCheckedStep({ data, isProtected: () => false }, { step, target });
}

function write({ data, account }: Desk, to: string) {
  const target = { accountId: account.id, deploymentId: '1' };
  return readBranchWrite({ data, isProtected: () => false }, { step: 'dbtSync', target, from: 'dbt', to });
}

describe('the situation of a step that writes to a branch', () => {
  it.each(['refs/heads/main', 'heads/main', 'origin/main', 'MAIN', 'main ', 'ma%69n', 'ｍain', 'gone'])(
    'does not know whether a parent that is not listed is production: “%s”',
    async (parent) => {
      const desk = await listed(['main', null], ['returns', 'main'], [dev, parent]);
      expect(await read(desk, 'commit')).toMatchObject({ to: parent, isDeploy: undefined });
      expect(await read(desk, 'merge')).toMatchObject({ to: parent, isDeploy: undefined });
    },
  );

  it.each(['main', 'legacy', 'release'])(
    'does not know which of several branches without a parent is production: “%s”',
    async (parent) => {
      const roots = [['main', null] as const, ['legacy', ''] as const, ['release', 'release'] as const];
      const desk = await listed(...roots, [dev, parent]);
      expect(await read(desk, 'commit')).toMatchObject({ to: parent, isDeploy: undefined });
      expect(await write(desk, parent)).toMatchObject({ isDeploy: undefined });
    },
  );

  it.each([{ truncated: true }, { hasMore: true }, { total: 100_000 }])(
    'does not know what differs where a list of files was cut: %j',
    async (more) => {
      const cut = async (request: Request, send: (request: Request) => Promise<Response>): Promise<Response> => {
        const response = await send(request);
        if (!request.url.includes('file-hashes')) return response;
        const { files } = (await response.json()) as { readonly files: object };
        return Response.json({ files: Object.fromEntries(Object.entries(files).slice(1)), ...more });
      };
      const desk = await openDesk({ through: cut });
      await startDevMode(desk, { accountId: desk.account.id, deploymentId: '1', branchName: 'main' });
      const situation = await read(desk, 'mergeToDefault');
      expect(situation).toMatchObject({ to: 'main', content: undefined, sent: undefined, files: undefined });
      const decision = productionGate(situation);
      expect(decision.kind === 'review' && decision.warnings.map(({ kind }) => kind)).toContain('notCompared');
    },
  );

  it('names no destination of a merge to production where several branches could be it', async () => {
    const desk = await listed(['legacy', null], ['main', null], ['returns', 'main'], [dev, 'returns']);
    expect(await read(desk, 'mergeToDefault')).toMatchObject({ to: undefined, isDeploy: true, content: undefined });
  });

  it('knows a shared branch beside several without a parent', async () => {
    const desk = await listed(['main', null], ['legacy', null], ['returns', 'main'], [dev, 'returns']);
    expect(await read(desk, 'commit')).toMatchObject({ to: 'returns', isDeploy: false });
    expect(await write(desk, 'returns')).toMatchObject({ isDeploy: false });
  });

  it('does not know production where each branch has a parent', async () => {
    const desk = await listed(['main', 'returns'], ['returns', 'main'], [dev, 'returns']);
    expect(await read(desk, 'commit')).toMatchObject({ to: 'returns', isDeploy: undefined });
  });

  it('does not know the parent of a branch that is listed with two', async () => {
    const desk = await listed(['main', null], ['returns', 'main'], [dev, 'returns'], [dev, 'main']);
    expect(await read(desk, 'commit')).toMatchObject({ to: undefined, isDeploy: undefined });
  });

  it('takes a branch that is named like a dev branch for production where no other has no parent', async () => {
    const desk = await listed(['dev-live', null], ['returns', 'dev-live'], [dev, 'dev-live']);
    expect(await read(desk, 'commit')).toMatchObject({ to: 'dev-live', isDeploy: undefined });
    expect(await write(desk, 'dev-live')).toMatchObject({ isDeploy: undefined });
  });
});

describe('the build of a branch that a step sends', () => {
  const file = 'model/cubes/orders.yml';

  /** A dev branch of production whose build status is always the same, as right after a change that is not being built yet. */
  async function scene({ status = 'built', offers = true } = {}) {
    let validations = 0;
    const desk = await openDesk({
      through: async (request, send) => {
        const { pathname } = new URL(request.url);
        if (pathname.endsWith('/build-status')) return Response.json({ status, errorText: 'orders.yml Errors:\nNo.' });
        if (!pathname.endsWith('/validate')) return send(request);
        validations += 1;
        return offers ? send(request) : new Response('{"error":"Not found"}', { status: 404 });
      },
    });
    const target = await startDevMode(desk, { accountId: desk.account.id, deploymentId: '1', branchName: 'main' });
    const write = async (content: string): Promise<void> => {
      const body = { branchName: target.branchName, files: [{ path: file, content }] };
      await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
    };
    const checks = new BuildChecks();
    const build = async (): Promise<unknown> => {
      const now = await readCheckedStep(
        { data: desk.data, isProtected: () => false, checks },
        { step: 'commit', target, review: { kind: 'always' } },
      );
      const decision = productionGate(now);
      return [now.build, decision.kind === 'review' && [decision.typed, ...decision.warnings.map(({ kind }) => kind)]];
    };
    return { build, write, validations: () => validations };
  }

  it('is red where the build that succeeded was one of an earlier commit', async () => {
    const { build, write } = await scene();
    await write('cubes: [] # BROKEN\n');
    expect(await build()).toEqual(['failed', ['Shop analytics', 'failed']]);
  });

  it('is green only once the platform has compiled the files that the branch has', async () => {
    const { build, validations, write } = await scene();
    await write('cubes: [] # mine\n');
    expect(await build()).toEqual(['built', [undefined]]);
    // The gate reads the step again before it is sent.
    expect(await build()).toEqual(['built', [undefined]]);
    expect(validations()).toBe(1);
    await write('cubes: [] # again\n');
    await build();
    expect(validations()).toBe(2);
  });

  it('is not green where the platform cannot compile a branch on demand', async () => {
    const { build, write } = await scene({ offers: false });
    await write('cubes: [] # mine\n');
    expect(await build()).toEqual(['unproven', [undefined, 'unknownBuild']]);
  });

  it('is known before it has ended, where the platform compiles a branch on demand', async () => {
    const { build, write } = await scene({ status: 'warmup' });
    await write('cubes: [] # mine\n');
    expect(await build()).toEqual(['built', [undefined]]);
    await write('cubes: [] # BROKEN\n');
    expect(await build()).toEqual(['failed', ['Shop analytics', 'failed']]);
  });

  it('is not known before it has ended elsewhere', async () => {
    const { build, write } = await scene({ status: 'warmup', offers: false });
    await write('cubes: [] # mine\n');
    expect(await build()).toEqual(['building', [undefined, 'building']]);
  });

  it.each([
    ['failed', ['failed', ['Shop analytics', 'failed']]],
    ['stopped', ['unknown', [undefined, 'unknownBuild']]],
  ])('needs no validation where it is %s', async (status, expected) => {
    const { build, validations, write } = await scene({ status });
    await write('cubes: [] # mine\n');
    expect(await build()).toEqual(expected);
    expect(validations()).toBe(0);
  });
});
