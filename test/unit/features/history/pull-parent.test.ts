import { describe, expect, it } from 'vitest';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { BranchFiles } from '#features/folders/branch-files.ts';
import { type PullPorts, pullParent } from '#features/history/pull-parent.ts';
import type { GitResult } from '#features/history/git-workflow.ts';
import { ResolvedPulls } from '#features/history/resolved-pull.ts';
import type { StepForm } from '#features/history/step-review.ts';
import { lateText } from '#features/platform/late-files.ts';
import { differencesOf } from '#features/platform/gated-branch.ts';
import type { GateQuestion } from '#features/platform/production-pass.ts';
import { openDesk } from '#support/features.ts';
import { memoryTrash } from '#support/memory-trash.ts';
import { MemoryState } from '#support/memory-state.ts';
import { sha1 } from '#support/sync/tiny-platform.ts';

const file = 'model/cubes/orders.yml';
const input = { message: '', options: [], typed: '' };

/** A dev branch of a shared branch that resolved what `main` changed; `protects` says which branch the settings protect. */
async function scene(
  protects: string,
  isConfirmed = true,
  lend?: (send: (content: string) => Promise<unknown>) => unknown,
  late?: () => Promise<unknown>,
) {
  // The parent of the dev branch, once another window has changed it.
  const now: { parent?: string } = {};
  const desk = await openDesk({
    through: async (request, send) => {
      if (request.url.endsWith('/commit')) await late?.();
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
  const write = async (content: string): Promise<unknown> => {
    const body = { branchName: target.branchName, files: [{ path: file, content }] };
    return client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
  };
  await write('cubes: [] # mine\n');
  await platform.control.colleagueCommit(1, 'main', { [file]: 'cubes: [] # theirs\n' });
  const asked: string[] = [];
  const pages: GateQuestion[] = [];
  const notes: string[] = [];
  const files = new BranchFiles(data, () => 0, memoryTrash().open);
  const lending = new ResolvedPulls({ data, files, userState: new MemoryState() });
  const ports = {
    data,
    gate: {
      isProtected: ({ branchName }: { readonly branchName: string }) => branchName === protects,
      confirm: async ({ title }: { readonly title: string }) => Promise.resolve(asked.push(title) > 0),
      confirmStep: async (_: unknown, question: GateQuestion, { note = '' }: StepForm) => {
        asked.push(`page: ${question.title}`);
        notes.push(note);
        pages.push(question);
        return Promise.resolve(isConfirmed ? { question, input } : undefined);
      },
      say: (hint: string) => asked.push(hint),
    },
    syncs: { ofBranch: () => [] },
    resolved: {
      attempts: {
        of: () => ({ from: 'main', files: [{ path: file, resolvedAgainst: sha1('cubes: [] # theirs\n') }] }),
      },
      syncs: { ofBranch: () => [{ folder: { folderId: 'file:///shop' } }] },
      remote: { refresh: async () => Promise.resolve() },
      branchFiles: files,
    },
    resolvedPulls: {
      pull: async (...given: Parameters<ResolvedPulls['pull']>) => {
        const [location, resolved, bring] = given;
        return lending.pull(location, resolved, async () => {
          await lend?.(write);
          return bring?.() ?? Promise.reject(new Error('There is nothing to bring.'));
        });
      },
    },
    run: async (_target: unknown, _step: unknown, work: () => GitResult) => {
      const outcome = await work();
      const found = outcome.ok ? await outcome.value.late : undefined;
      if (found) asked.push(lateText(found));
      return outcome.ok;
    },
  } as unknown as PullPorts;
  const on = async (branch: string): Promise<string | undefined> => platform.control.readFile(1, branch, file);
  const committed = async (): Promise<string> => {
    const subject = `--grep=^Merge main into ${shared.branchName}$`;
    const hash = await platform.control.git(1, 'log', '-1', '--format=%H', subject, shared.branchName);
    return platform.control.git(1, 'show', `${hash.trim()}:${file}`);
  };
  const onShared = async (): Promise<string | undefined> => on(shared.branchName);
  const onDev = async (): Promise<string | undefined> => on(target.branchName);
  const add = async (path: string): Promise<unknown> => {
    const body = { branchName: target.branchName, files: [{ path, content: 'cubes: []\n' }] };
    return client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
  };
  return { add, asked, notes, pages, now, committed, onShared, onDev, pull: async () => pullParent(ports, target) };
}

describe('pullParent', () => {
  const page = 'page: Commit to returns-model?';

  it('takes what comes from further up through the parent, once its page is confirmed', async () => {
    const { asked, notes, onDev, onShared, pages, pull } = await scene('');
    expect(await pull()).toBe(true);
    expect(asked).toEqual([page]);
    expect(differencesOf(pages[0]?.situation.content).map(({ path }) => path)).toContain(file);
    expect(notes).toEqual([
      expect.stringMatching(/^“returns-model” first gets these files .* then the changes of “main”/),
    ]);
    // The branch keeps what was resolved; what goes up with it is a commit of its own.
    expect(await onShared()).toBe('cubes: [] # theirs\n');
    expect(await onDev()).toBe('cubes: [] # mine\n');
  });

  it('reports what came to the parent while it was being committed', async () => {
    let add = async (): Promise<unknown> => Promise.resolve();
    const opened = await scene('', true, undefined, async () => add());
    add = async () => opened.add('model/cubes/later.yml');
    expect(await opened.pull()).toBe(true);
    expect(opened.asked).toEqual([
      page,
      expect.stringMatching(/^“returns-model” also has 1 change that you did not confirm.*: model\/cubes\/later\.yml/),
    ]);
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
    expect(asked).toEqual([page]);
  });

  it.each(['', 'returns-model'])(
    'commits to its parent exactly what its page showed, protected: “%s”',
    async (protects) => {
      const { committed, onDev, pages, pull } = await scene(protects);
      expect(await pull()).toBe(true);
      const [shown] = pages.map(({ situation: { content } }) =>
        differencesOf(content).find(({ path }) => path === file),
      );
      const sent = await committed();
      expect(sent).toBe('cubes: [] # theirs\n');
      expect(shown?.after).toBe(sha1(sent));
      expect(pages[0]?.situation).toMatchObject({ replaced: { by: 'main', paths: [file] }, build: 'unknown' });
      expect(await onDev()).toBe('cubes: [] # mine\n');
    },
  );

  it.each(['', 'returns-model'])(
    'sends nothing where the files are not those of its page by then, protected: “%s”',
    async (protects) => {
      const { onDev, onShared, pull } = await scene(protects, true, async (write) => write('cubes: [] # else\n'));
      const before = await onShared();
      await expect(pull()).rejects.toThrow(/changed since you confirmed .*, so nothing was sent/);
      expect(await onShared()).toBe(before);
      // Nobody's version is lost: what someone else wrote meanwhile stays, and the resolved one is put back later.
      expect(await onDev()).toBe('cubes: [] # else\n');
    },
  );

  it.each(['', 'returns-model'])('sends nothing where that page is closed, protected: “%s”', async (protects) => {
    const { onShared, pull } = await scene(protects, false);
    const before = await onShared();
    expect(await pull()).toBe(false);
    expect(await onShared()).toBe(before);
  });
});
