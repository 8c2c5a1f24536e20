import { describe, expect, it } from 'vitest';
import { listDataModelFiles, writeDataModelFiles } from '#api/resources/data-model.ts';
import { isPlatformError } from '#api/errors.ts';
import { asError } from '#base/async.ts';
import { createBranch, setStaging, startDevMode, stopDevMode } from '#features/branches/dev-mode.ts';
import { errorTexts } from '#shell/error-texts.ts';
import { pullBranch } from '#features/history/git-workflow.ts';
import type { Mode } from '#platform/modes/mode.ts';
import { readModes } from '#platform/modes/modes.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { ClientUnderTest, json } from '#support/api/client-under-test.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { commitBranch, deleteBranch, mergeBranch, mergeToDefault, pullThrough } from '#support/confirmed-steps.ts';

const file = 'model/cubes/orders.yml';
const options = { squashCommits: false, switchToParentBranch: false, deleteBranch: false };

async function developing(parent = 'main', modes?: readonly Mode[]): Promise<Desk & { readonly dev: BranchTarget }> {
  const desk = await openDesk(modes ? { modes } : {});
  const target = { accountId: desk.account.id, deploymentId: '1', branchName: parent };
  return { ...desk, dev: await startDevMode(desk, target) };
}

async function write({ client }: Desk, { branchName }: BranchTarget, content: string): Promise<void> {
  const body = { branchName, files: [{ path: file, content }] };
  await client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
}

describe('dev mode', () => {
  it('makes the forked branch active and mine, and stopping leaves it there', async () => {
    const { data, session, dev } = await developing();
    expect(dev.branchName).toMatch(/^dev-/);
    expect(session.activeBranch(dev)).toBe(dev.branchName);
    await stopDevMode({ data, session }, dev);
    expect(session.activeBranch(dev)).toBeUndefined();
    expect(session.myBranches(dev).has(dev.branchName)).toBe(true);
    const names = (await data.of(dev).branches.get()).map(({ name }) => name);
    expect(names).toContain(dev.branchName);
  });

  it('starts again on a branch that was stopped', async () => {
    const desk = await developing();
    await stopDevMode(desk, desk.dev);
    const again = await startDevMode(desk, desk.dev);
    expect(again.branchName).toBe(desk.dev.branchName);
    expect(desk.session.activeBranch(again)).toBe(again.branchName);
  });
});

describe('git workflow', () => {
  it('commits to the parent and says at which commit', async () => {
    const desk = await developing('returns-model');
    await write(desk, desk.dev, 'cubes: [] # mine\n');
    const outcome = await commitBranch(desk.data, desk.dev, 'Empty the orders');
    expect(outcome.ok).toBe(true);
    expect(await desk.platform.control.readFile(1, 'returns-model', file)).toBe('cubes: [] # mine\n');
  });

  it('says at which commit a branch stands where the platform answers nothing but success', async () => {
    const desk = await developing('returns-model', readModes('strict'));
    await write(desk, desk.dev, 'cubes: [] # mine\n');
    const committed = await commitBranch(desk.data, desk.dev, 'Empty the orders');
    const head = (await desk.platform.control.git(1, 'rev-parse', desk.dev.branchName)).trim();
    const { late, ...answered } = committed.ok ? committed.value : {};
    expect([answered, await late]).toEqual([{ lastHash: head, message: undefined }, undefined]);
    // Nothing moved: the commit before is none that came of the pull.
    expect(await pullBranch(desk.data, desk.dev)).toMatchObject({ ok: true, value: { lastHash: undefined } });
  });

  it('brings a colleague’s change in', async () => {
    const desk = await developing();
    await desk.platform.control.colleagueCommit(1, 'main', { 'model/cubes/new.yml': 'cubes: []\n' });
    expect((await pullBranch(desk.data, desk.dev)).ok).toBe(true);
    expect(await desk.platform.control.readFile(1, desk.dev.branchName, 'model/cubes/new.yml')).toBe('cubes: []\n');
  });

  it('answers a real conflict as a value with its files, and changes nothing', async () => {
    const desk = await developing();
    await write(desk, desk.dev, 'cubes: [] # mine\n');
    await desk.platform.control.colleagueCommit(1, 'main', { [file]: 'cubes: [] # theirs\n' });
    const outcome = await pullBranch(desk.data, desk.dev);
    expect(outcome).toMatchObject({ ok: false, error: { paths: [expect.stringContaining(file)] } });
    expect(await desk.platform.control.readFile(1, desk.dev.branchName, file)).toBe('cubes: [] # mine\n');
  });

  it('brings what is further up into a dev branch by way of its parent, and production keeps what it has', async () => {
    const desk = await developing('returns-model');
    const { control } = desk.platform;
    await write(desk, desk.dev, 'cubes: [] # theirs\n');
    await control.colleagueCommit(1, 'main', { [file]: 'cubes: [] # theirs\n', 'model/cubes/new.yml': 'cubes: []\n' });
    expect((await pullThrough(desk.data, desk.dev, 'returns-model', 'Merge main')).ok).toBe(true);
    for (const branch of ['returns-model', desk.dev.branchName]) {
      expect(await control.readFile(1, branch, 'model/cubes/new.yml')).toBe('cubes: []\n');
    }
    await write(desk, desk.dev, 'cubes: [] # both\n');
    expect(await control.readFile(1, 'main', file)).toBe('cubes: [] # theirs\n');
    await commitBranch(desk.data, desk.dev, 'Both');
    const merged = await mergeToDefault(desk.data, desk.dev, { message: undefined, removeBranchAfterMerge: false });
    expect(merged.ok).toBe(true);
    expect(await control.readFile(1, 'main', file)).toBe('cubes: [] # both\n');
  });

  it('is in conflict with the parent where the commit to it, on the way to what is further up, is refused', async () => {
    const desk = await developing('returns-model');
    await write(desk, desk.dev, 'cubes: [] # mine\n');
    await desk.platform.control.colleagueCommit(1, 'returns-model', { 'model/cubes/new.yml': 'cubes: []\n' });
    const outcome = await pullThrough(desk.data, desk.dev, 'returns-model', 'Merge main');
    expect(outcome).toMatchObject({ ok: false, error: { from: 'returns-model' } });
  });

  it('answers a commit onto a parent that moved as a conflict without files', async () => {
    const desk = await developing();
    await write(desk, desk.dev, 'cubes: [] # mine\n');
    await desk.platform.control.colleagueCommit(1, 'main', { 'model/cubes/new.yml': 'cubes: []\n' });
    const outcome = await commitBranch(desk.data, desk.dev, 'Mine');
    expect(outcome.ok).toBe(false);
    expect(!outcome.ok && outcome.error.message).not.toBe('');
  });

  it.each([
    [409, 'Another build is still running', true],
    [409, 'Der Zweig ist veraltet', true],
    [400, 'Please commit your changes before merging', false],
    [403, 'Upstream has newer commits, synchronise first', false],
    [422, 'No way', false],
  ])('shows a refused step in the platform’s own words: %s %s', async (status, error, isOutcome) => {
    const client = new ClientUnderTest(() => json({ error }, { status })).client;
    const data = { client: () => client, of: () => ({ branches: { invalidate: () => Promise.resolve() } }) };
    const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-x' };
    const outcome = await mergeBranch(data as never, target, options).catch((thrown: unknown) => asError(thrown));
    const message = outcome instanceof Error ? outcome.message : outcome.ok ? '' : outcome.error.message;
    expect(message).toMatch(new RegExp(`^The platform refused “merge” \\(status ${status}\\): “${error}”`));
    expect(outcome instanceof Error).toBe(!isOutcome);
  });

  it('merges to the parent and to the default branch', async () => {
    const desk = await developing('returns-model');
    await write(desk, desk.dev, 'cubes: [] # merged\n');
    await commitBranch(desk.data, desk.dev, 'Mine');
    expect((await mergeBranch(desk.data, desk.dev, options)).ok).toBe(true);
    const merged = await mergeToDefault(desk.data, desk.dev, { message: undefined, removeBranchAfterMerge: true });
    expect(merged.ok).toBe(true);
    expect(await desk.platform.control.readFile(1, 'main', file)).toBe('cubes: [] # merged\n');
    const { branches } = desk.data.of(desk.dev);
    // Joins the refresh that the step has started.
    await branches.refresh();
    expect(branches.value?.map(({ name }) => name)).not.toContain(desk.dev.branchName);
  });

  it('asks for a commit, not for a pull, where a merge meets work that was not committed', async () => {
    const desk = await developing('returns-model');
    await write(desk, desk.dev, 'cubes: [] # mine\n');
    const toDefault = { message: undefined, removeBranchAfterMerge: false };
    for (const work of [mergeBranch(desk.data, desk.dev, options), mergeToDefault(desk.data, desk.dev, toDefault)]) {
      const refused = await work.catch((error: unknown) => error);
      expect(errorTexts(refused)).toMatchObject({ kind: 'expected', action: { command: 'modelbench.commit' } });
    }
    expect(await desk.platform.control.readFile(1, desk.dev.branchName, file)).toBe('cubes: [] # mine\n');
  });

  it('throws what is not a decision: a write to a branch that is not a dev branch', async () => {
    const desk = await developing();
    const wrong = { ...desk.dev, branchName: 'main' };
    const refused = await commitBranch(desk.data, wrong, 'No').catch((error: unknown) => error);
    expect(isPlatformError(refused)).toBe(true);
  });
});

describe('branches', () => {
  it('switches staging on and off, and the environment comes and goes', async () => {
    const { data, account } = await openDesk();
    const target = { accountId: account.id, deploymentId: '1', branchName: 'pricing-experiments' };
    const stages = async (): Promise<readonly string[]> => {
      await data.of(target).environments.invalidate();
      return (await data.of(target).environments.get())
        .filter(({ type }) => type === 'staging')
        .map(({ name }) => name);
    };
    expect((await setStaging({ data }, target, true)).staging).toBe(true);
    expect(await stages()).toContain('pricing-experiments');
    expect((await setStaging({ data }, target, false)).staging).toBe(false);
    expect(await stages()).not.toContain('pricing-experiments');
  });

  it('shows the platform’s own words where it refuses staging', async () => {
    const { data, account } = await openDesk();
    const target = { accountId: account.id, deploymentId: '1', branchName: 'main' };
    const refused = await setStaging({ data }, target, true).catch((error: unknown) => error);
    expect(isPlatformError(refused) && refused.message).toMatch(/shared|production|deploy/i);
  });

  it('creates and deletes a shared branch; deleting the active dev branch leaves it', async () => {
    const desk = await developing();
    const made = await createBranch(desk, desk.dev, { name: 'feature/a', parentBranch: 'main' });
    expect(made.name).toBe('feature/a');
    await deleteBranch(desk, { ...desk.dev, branchName: 'feature/a' });
    await deleteBranch(desk, desk.dev);
    expect(desk.session.activeBranch(desk.dev)).toBeUndefined();
    const names = (await desk.data.of(desk.dev).branches.get()).map(({ name }) => name);
    expect(names).not.toContain('feature/a');
    expect(names).not.toContain(desk.dev.branchName);
  });

  it('keeps what was written reachable by name afterwards', async () => {
    const desk = await developing();
    await write(desk, desk.dev, 'cubes: [] # kept\n');
    const query = { branchName: desk.dev.branchName, withContent: true };
    const tree = await desk.client.call(listDataModelFiles, { params: { deploymentId: '1' }, query });
    expect(JSON.stringify(tree)).toContain('# kept');
  });
});
