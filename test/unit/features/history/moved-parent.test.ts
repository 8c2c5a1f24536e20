import { describe, expect, it } from 'vitest';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { commitStep } from '#features/history/commit.ts';
import type { GatedStepPorts } from '#features/history/gated-step.ts';
import { GitAttempts } from '#features/history/git-attempt.ts';
import { mergeStep } from '#features/history/merge.ts';
import { MessageDrafts } from '#features/history/message-drafts.ts';
import { openDesk } from '#support/features.ts';
import { MemoryState } from '#support/memory-state.ts';

interface BranchRow {
  readonly name: string;
  readonly parentBranch?: string | null;
}

/** Another shared branch, which becomes the parent while a question is open. */
const other = 'customers-model';

/** A dev branch of `returns-model` with a change; its parent becomes `other` while its first page is open. */
async function scene(isConfirmed: boolean) {
  const sent: string[] = [];
  let isMoved = false;
  const desk = await openDesk({
    through: async (request, send) => {
      const { pathname } = new URL(request.url);
      if (/\/(commit|merge)$/.test(pathname)) sent.push(pathname.split('/').at(-1) ?? '');
      const answer = await send(request);
      if (!isMoved || request.method !== 'GET' || !pathname.endsWith('/branches')) return answer;
      return Response.json(moved(await answer.json(), dev.branchName));
    },
  });
  const shared = { accountId: desk.account.id, deploymentId: '1', branchName: 'returns-model' };
  const dev = await startDevMode(desk, shared);
  const body = { branchName: dev.branchName, files: [{ path: 'model/cubes/new.yml', content: 'cubes: []\n' }] };
  await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
  const asked: string[] = [];
  const ports: GatedStepPorts = {
    data: desk.data,
    builds: { follow: async () => Promise.resolve() },
    attempts: new GitAttempts(new MemoryState()),
    syncs: { ofBranch: () => [] } as never,
    drafts: new MessageDrafts(),
    gate: {
      isProtected: () => false,
      confirm: async ({ title, detail }) => Promise.resolve(asked.push(`${title} ${detail}`) > 0 && isConfirmed),
      confirmStep: async (_target, question) => {
        const { title, hasChanged } = question;
        asked.push(`page: ${title}${hasChanged ? ' (changed)' : ''}`);
        const isFirst = !isMoved;
        isMoved = true;
        return Promise.resolve(
          isFirst || isConfirmed ? { question, input: { message: 'Why', options: [], typed: '' } } : undefined,
        );
      },
      say: (hint) => asked.push(hint),
    },
    dialogs: { askUnsent: async () => Promise.resolve('without'), push: async () => Promise.resolve() },
    run: async (_target, { from }) => Promise.resolve(sent.push(`from ${from ?? 'nowhere'}`) > 0),
  };
  return { asked, sent, dev, ports };
}

/** The list of branches with another parent of the dev branch. */
function moved(list: unknown, dev: string): unknown {
  const { items, data, branches } = list as Readonly<Record<string, readonly BranchRow[] | undefined>>;
  const rows = Array.isArray(list) ? (list as readonly BranchRow[]) : (items ?? data ?? branches ?? []);
  return [
    ...rows.map((row) => (row.name === dev ? { ...row, parentBranch: other } : row)),
    { name: other, parentBranch: 'main' },
  ];
}

describe('a step whose parent branch became another one while its page was open', () => {
  it('commits to the new parent only after the user confirmed that one', async () => {
    const { asked, sent, dev, ports } = await scene(true);
    expect(await commitStep(ports, dev, {})).toBe(true);
    expect(asked).toEqual(['page: Commit to returns-model?', `page: Commit to ${other}? (changed)`]);
    expect(sent).toEqual([`from ${other}`]);
  });

  it('commits nothing where the user does not want that', async () => {
    const { sent, dev, ports } = await scene(false);
    expect(await commitStep(ports, dev, {})).toBe(false);
    expect(sent).toEqual([]);
  });

  it('merges nothing where the user does not want that', async () => {
    const { asked, sent, dev, ports } = await scene(false);
    await mergeStep(ports, dev);
    expect(asked).toHaveLength(2);
    expect(sent).toEqual([]);
  });
});
