import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { branchCommands } from '#features/branches/vscode/branch-commands.ts';
import { gitCommands } from '#features/history/vscode/git-commands.ts';
import { shown as fake } from '#support/fake-vscode.ts';
import { User } from '../../../../vscode/user.ts';
import {
  commit as commitOperation,
  createBranch,
  deleteBranch,
  merge,
  mergeToDefault,
} from '#api/resources/branches.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import type { ConfirmStep } from '#features/history/at-gate.ts';
import type { GitAttempts } from '#features/history/git-attempt.ts';
import type { StepForm } from '#features/history/step-review.ts';
import { checkedQuestion, type GateQuestion } from '#features/platform/production-pass.ts';
import type { ReviewInput } from '#features/review/messages.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { type HandlerDesk, openHandlerDesk } from '#support/handler-desk.ts';
import { pick, press, type } from '../../../../vscode/answers.ts';

let desk: HandlerDesk;
let userState: User;
beforeEach(async () => {
  desk = await openHandlerDesk();
  userState = new User();
});
afterEach(() => userState.leave());

async function developing(branchName = 'returns-model'): Promise<BranchTarget> {
  return startDevMode(desk, { ...desk.target, branchName });
}

async function write({ branchName }: BranchTarget, path = 'model/cubes/new.yml'): Promise<void> {
  const body = { branchName, files: [{ path, content: 'cubes: []\n' }] };
  await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
}

/** What a user does on the page of a step: fills in, or closes it (`undefined`). */
type Filling = Partial<ReviewInput> | undefined;

/** The commands, with what is done on the pages that they show, one after the other; `meanwhile`: while one is open. */
function commandsOn(pages: readonly Filling[], meanwhile = async (): Promise<void> => undefined) {
  const left = [...pages];
  const shown: { readonly question: GateQuestion; readonly form: StepForm }[] = [];
  const confirmStep: ConfirmStep = async (_target, question, form, check) => {
    shown.push({ question, form });
    await meanwhile();
    const filled = left.shift();
    // The page of a step that reaches production waits for this.
    const checked = await check?.();
    return (
      filled && {
        question: checked ? checkedQuestion(question, checked) : question,
        input: { message: form.message?.value ?? '', options: [], typed: '', ...filled },
      }
    );
  };
  return { run: gitCommands({ ...(desk.services as object), confirmStep } as never), shown };
}

describe('a merge to the default branch', () => {
  it('has the message that the user typed, and keeps it where the platform refuses', async () => {
    const dev = await developing();
    await write(dev);
    const options = ['removeBranch'];
    const { run, shown } = commandsOn([{ message: 'New cubes', options }, { message: 'Add cubes' }, {}]);
    await expect(run['modelbench.mergeToDefault'](dev)).rejects.toThrow(/commit them first/);
    await run['modelbench.commit'](dev);
    await run['modelbench.mergeToDefault'](dev);
    expect(shown.map(({ form }) => form.message?.value)).toEqual(['', '', 'New cubes']);
    expect([shown[0], shown[2]].map((page) => page?.form.options?.map(({ isOn }) => isOn))).toEqual([[false], [true]]);
    expect((await desk.wire.last(mergeToDefault))?.body).toMatchObject({ message: 'New cubes' });
  });

  it('has the platform’s own message where the user typed none, and removes the branch on demand', async () => {
    const dev = await developing();
    const { run, shown } = commandsOn([{ message: ' ', options: ['removeBranch'] }]);
    await run['modelbench.mergeToDefault'](dev);
    expect(shown[0]?.question.button).toBe('Merge into main (production)');
    const { body } = (await desk.wire.last(mergeToDefault)) ?? {};
    expect(body).toEqual({ branchName: dev.branchName, removeBranchAfterMerge: true });
  });
});

describe('a merge that has nothing to bring', () => {
  it('can still remove the branch on its page', async () => {
    const dev = await developing('main');
    const { run, shown } = commandsOn([{ options: ['removeBranch'] }]);
    await run['modelbench.mergeToDefault'](dev);
    expect(shown[0]?.question.situation.content).toBe('');
    expect((await desk.wire.last(mergeToDefault))?.body).toMatchObject({ removeBranchAfterMerge: true });
  });

  it('is a hint where nothing was ticked there', async () => {
    const dev = await developing('main');
    const said = await userState.answering(async () => commandsOn([{}]).run['modelbench.mergeToDefault'](dev));
    expect(said).toMatch(/^Nothing to merge: dev-\S+ and main are the same\.$/);
    expect(await desk.wire.last(mergeToDefault)).toBeUndefined();
  });
});

describe('a merge into a shared branch', () => {
  it('is sent if its page showed that no file differs: there may be other commits', async () => {
    const dev = await developing();
    const { run, shown } = commandsOn([{ options: ['squashCommits'] }]);
    await run['modelbench.merge'](dev);
    expect(shown[0]?.question.situation.content).toBe('');
    expect((await desk.wire.last(merge))?.body).toMatchObject({ squashCommits: true, deleteBranch: false });
  });

  it('has its files and options on the page, which needs no confirmation', async () => {
    const dev = await developing();
    await write(dev);
    const { run, shown } = commandsOn([{ message: 'Add cubes' }, { options: ['squashCommits'] }]);
    await run['modelbench.commit'](dev);
    await write(dev, 'model/cubes/more.yml');
    await expect(run['modelbench.merge'](dev)).rejects.toThrow(/commit them first/);
    const [, page] = shown;
    expect(page?.question).toMatchObject({ button: 'Merge into returns-model', typed: undefined, warnings: [] });
    expect(page?.form.options?.map(({ id }) => id)).toEqual(['squashCommits', 'switchToParentBranch', 'deleteBranch']);
    expect(page?.question.situation.content).toContain('model/cubes/more.yml');
    expect((await desk.wire.last(merge))?.body).toMatchObject({ squashCommits: true, deleteBranch: false });
  });
});

describe('a merge into a production branch', () => {
  it('has its options on the page, and asks for nothing before it', async () => {
    const dev = await developing('main');
    const { run, shown } = commandsOn([{ options: ['squashCommits', 'deleteBranch'] }]);
    await run['modelbench.merge'](dev);
    expect(shown.map(({ question, form }) => [question.button, form.options?.map(({ label }) => label)])).toEqual([
      ['Merge into main (production)', ['Squash commits', 'Switch to the parent branch', 'Delete the dev branch']],
    ]);
    const { body } = (await desk.wire.last(merge)) ?? {};
    expect(body).toMatchObject({ squashCommits: true, switchToParentBranch: false, deleteBranch: true });
  });

  it('is not sent where the page is closed', async () => {
    const dev = await developing('main');
    await write(dev);
    await commandsOn([undefined]).run['modelbench.merge'](dev);
    expect(await desk.wire.last(merge)).toBeUndefined();
  });
});

describe('a commit', () => {
  const commit = async (dev: BranchTarget, ...pages: readonly Filling[]): Promise<string> =>
    userState.answering(async () => commandsOn(pages).run['modelbench.commit'](dev));
  const head = async (): Promise<string> => desk.platform.control.git(1, 'rev-parse', 'main');
  const subject = async (): Promise<string> => desk.platform.control.git(1, 'log', '-1', '--format=%s', 'main');

  it('keeps the message that was typed for a commit that failed', async () => {
    const dev = await developing();
    await write(dev);
    desk.platform.control.faults([{ kind: 'status', status: 503, path: 'commit', times: 1 }]);
    const { run, shown } = commandsOn([{ message: 'Add cubes' }, {}]);
    await expect(run['modelbench.commit'](dev)).rejects.toThrow(/commit/);
    await run['modelbench.commit'](dev);
    expect(shown.map(({ form }) => form.message?.value)).toEqual(['', 'Add cubes']);
  });

  it('reaches production only from a page that names it, and keeps its message until then', async () => {
    const dev = await developing('main');
    await write(dev);
    const before = await head();
    const inputBox = { value: 'Add cubes' };
    const { run, shown } = commandsOn([undefined, {}]);
    await run['modelbench.commit']({ ...dev, inputBox });
    expect([await head(), inputBox.value]).toEqual([before, 'Add cubes']);
    await run['modelbench.commit']({ ...dev, inputBox });
    expect([await subject(), inputBox.value]).toEqual(['Add cubes\n', '']);
    expect(shown.map(({ question, form }) => [question.button, form.message?.value])).toEqual([
      ['Commit to main (production)', 'Add cubes'],
      ['Commit to main (production)', 'Add cubes'],
    ]);
  });

  it('has the message as it was changed on the page', async () => {
    const dev = await developing('main');
    await write(dev);
    const inputBox = { value: 'Add cubes' };
    await commandsOn([{ message: 'Add new cubes' }]).run['modelbench.commit']({ ...dev, inputBox });
    expect([await subject(), inputBox.value]).toEqual(['Add new cubes\n', '']);
  });

  it('to a shared branch shows its files on a page, and is not sent where that is closed', async () => {
    const dev = await developing();
    await write(dev);
    const { run, shown } = commandsOn([undefined]);
    await run['modelbench.commit'](dev);
    expect(shown.map(({ question }) => [question.button, question.typed, question.situation.isDeploy])).toEqual([
      ['Commit to returns-model', undefined, false],
    ]);
    expect(shown[0]?.question.situation.content).toContain('model/cubes/new.yml');
    expect(await desk.wire.last(commitOperation)).toBeUndefined();
  });

  it('whose message was typed in Source Control goes to a shared branch at once', async () => {
    const dev = await developing();
    await write(dev);
    const { run, shown } = commandsOn([]);
    await run['modelbench.commit']({ ...dev, inputBox: { value: 'Add cubes' }, to: 'returns-model' });
    expect(shown).toEqual([]);
    expect((await desk.wire.last(commitOperation))?.body).toMatchObject({ message: 'Add cubes' });
  });

  it.each([
    ['another branch than its parent now', 'customers-model'],
    ['no branch yet', undefined],
  ])('whose message was typed beside %s is reviewed first', async (_beside, to) => {
    const dev = await developing();
    await write(dev);
    const inputBox = { value: 'Add cubes' };
    const { run, shown } = commandsOn([undefined, { message: 'Add new cubes' }]);
    await run['modelbench.commit']({ ...dev, inputBox, to });
    expect(await desk.wire.last(commitOperation)).toBeUndefined();
    expect(shown.map(({ question, form }) => [question.button, form.message?.value])).toEqual([
      ['Commit to returns-model', 'Add cubes'],
    ]);
    expect(shown[0]?.question.situation.content).toContain('model/cubes/new.yml');
    await run['modelbench.commit']({ ...dev, inputBox, to });
    expect((await desk.wire.last(commitOperation))?.body).toMatchObject({ message: 'Add new cubes' });
    expect(inputBox.value).toBe('');
  });

  it.each(['commit', 'pull', 'merge', 'mergeToDefault'] as const)(
    'and every other step for a folder without a dev branch leaves the active branch alone: %s',
    async (step) => {
      await write(await developing());
      const sent = (await desk.wire.sent()).length;
      const { run, shown } = commandsOn([]);
      const folder = { folderId: 'file:///other', inputBox: { value: 'Add cubes' }, to: 'returns-model' };
      await expect(run[`modelbench.${step}`](folder)).rejects.toThrow('This needs a personal dev branch');
      expect([shown, (await desk.wire.sent()).length]).toEqual([[], sent]);
    },
  );

  it('that stopped for another parent is reviewed before it continues to the new one', async () => {
    const dev = await developing();
    await write(dev);
    const { attempts } = desk.services as { readonly attempts: GitAttempts };
    const stopped = { step: 'commit', from: 'customers-model', typed: 'Typed before' } as const;
    await attempts.stopped(dev, { message: '', paths: [] }, stopped);
    const { run, shown } = commandsOn([undefined]);
    await userState.answering(async () => run['modelbench.git.continue'](dev));
    expect(shown.map(({ question, form }) => [question.button, form.message?.value])).toEqual([
      ['Commit to returns-model', 'Typed before'],
    ]);
    expect(await desk.wire.last(commitOperation)).toBeUndefined();
  });

  it('is a hint where there is nothing to commit, to production and to a shared branch', async () => {
    expect(await commit(await developing('main'))).toMatch(/^Nothing to commit: dev-\S+ and main are the same\.$/);
    const shared = await developing();
    expect(await commit(shared)).toMatch(/^Nothing to commit: dev-\S+ and returns-model are the same\.$/);
  });

  it.each([
    ['Pull and Continue', 'modelbench.git.continue'],
    ['Try Again', 'modelbench.commit'],
  ])('that stopped offers %s for its own branch, also where another one is active by then', async (button, command) => {
    const dev = await developing();
    await write(dev);
    await desk.platform.control.colleagueCommit(1, 'returns-model', { 'model/cubes/theirs.yml': 'cubes: []\n' });
    const switched = press(button, async () => void (await developing('main')));
    await userState.answering(
      async () => commandsOn([{ message: 'Add cubes' }]).run['modelbench.commit'](dev),
      switched,
    );
    expect(fake.commands.at(-1)).toEqual([command, dev]);
  });

  it.each(['commit', 'merge', 'mergeToDefault'] as const)(
    'and every other step of a branch that is gone asks and sends nothing: %s',
    async (step) => {
      const dev = await developing();
      const request = { params: { deploymentId: '1' }, query: { branchName: dev.branchName } };
      await desk.client.call(deleteBranch, request);
      const { run, shown } = commandsOn([]);
      await expect(run[`modelbench.${step}`](dev)).rejects.toThrow(/^“dev-\S+” is no longer on the platform/);
      expect(shown).toEqual([]);
    },
  );

  it('is a hint where it is tried again after it went through', async () => {
    const dev = await developing();
    await write(dev);
    expect(await commit(dev, { message: 'Add cubes' })).toBe('');
    expect(await commit(dev)).toMatch(/^Nothing to commit: /);
  });

  it('continues with its message after a pull where the parent had moved', async () => {
    const dev = await developing();
    await write(dev);
    await desk.platform.control.colleagueCommit(1, 'returns-model', { 'model/cubes/theirs.yml': 'cubes: []\n' });
    const said = await commit(dev, { message: 'Add cubes' });
    expect(said).toMatch(/moved on/);
    await userState.answering(async () => gitCommands(desk.services)['modelbench.git.continue'](dev));
    expect(await desk.platform.control.git(1, 'log', '-1', '--format=%s', 'returns-model')).toBe('Add cubes\n');
    const again = async (): Promise<unknown> => gitCommands(desk.services)['modelbench.git.continue'](dev);
    await expect(userState.answering(again)).rejects.toThrow(
      /no unfinished commit, pull or merge: .* Changes shows what is left to do/,
    );
  });
});

describe('a merge that continues', () => {
  it('is still a merge where the commit before it is refused', async () => {
    const dev = await developing();
    await write(dev);
    const { attempts } = desk.services as { readonly attempts: GitAttempts };
    const options = { squashCommits: true, switchToParentBranch: false, deleteBranch: false };
    const behind = { message: 'The parent has moved on.', paths: [] };
    await attempts.stopped(dev, behind, { step: 'merge', from: 'returns-model', options });
    const theirs = (name: string): Promise<unknown> =>
      desk.platform.control.colleagueCommit(1, 'returns-model', { [`model/cubes/${name}.yml`]: 'cubes: []\n' });
    await theirs('theirs');
    const { run, shown } = commandsOn([{ message: 'Add cubes' }, {}], async () => {
      if (shown.length === 1) await theirs('more');
    });
    const goOn = async (): Promise<string> => userState.answering(async () => run['modelbench.git.continue'](dev));
    expect(await goOn()).toMatch(/moved on/);
    expect(attempts.of(dev)).toMatchObject({ step: 'merge', options, isBehind: true });
    expect(await desk.wire.last(merge)).toBeUndefined();
    await goOn();
    expect(shown.map(({ form }) => form.message?.value)).toEqual([
      'Merge returns-model into ' + dev.branchName,
      'Add cubes',
    ]);
    expect((await desk.wire.last(merge))?.body).toMatchObject({ branchName: dev.branchName, ...options });
    expect(attempts.of(dev)).toBeUndefined();
  });
});

describe('a merge that continues after its branch got another parent', () => {
  it.each([
    ['asks, and is not sent without an answer', undefined, false],
    ['is sent where the user confirms the new parent', {}, true],
  ])('%s', async (_does, answer, isSent) => {
    const dev = await developing();
    await write(dev);
    const { attempts } = desk.services as { readonly attempts: GitAttempts };
    const options = { squashCommits: true, switchToParentBranch: false, deleteBranch: false };
    await attempts.stopped(dev, { message: '', paths: [] }, { step: 'merge', from: 'customers-model', options });
    const { run, shown } = commandsOn([{ message: 'Add cubes' }, answer]);
    await userState.answering(async () => run['modelbench.git.continue'](dev));
    expect(shown.at(-1)?.question).toMatchObject({ title: 'Merge into returns-model?', hasChanged: true });
    expect((await desk.wire.last(merge)) !== undefined).toBe(isSent);
  });
});

describe('starting dev mode', () => {
  it.each([
    ['the command', {}],
    ['the row of production', { branchName: 'main' }],
  ])('from %s offers a new shared branch first, and works on a dev branch of it', async (_from, row) => {
    const { 'modelbench.devMode.start': run } = branchCommands(desk.services);
    await userState.answering(
      async () => run({ ...desk.target, ...row }),
      pick('New Shared Branch…'),
      type('feature/new'),
    );
    const active = desk.session.activeBranch(desk.target);
    const branches = await desk.data.of(desk.target).branches.get();
    expect(branches.find(({ name }) => name === active)?.parentBranch).toBe('feature/new');
    expect(branches.find(({ name }) => name === 'feature/new')?.parentBranch).toBe('main');
  });
});

describe('a new shared branch', () => {
  const create = async (choice: string): Promise<void> => {
    const { 'modelbench.branch.create': run } = branchCommands(desk.services);
    await userState.answering(async () => run(desk.target), type('feature/new'), pick(choice));
  };

  it('leaves the branch that the user works on alone', async () => {
    await create('Create Branch');
    expect(desk.session.activeBranch(desk.target)).toBeUndefined();
    expect((await desk.wire.last(createBranch))?.body).toEqual({ name: 'feature/new', parentBranch: 'main' });
  });

  it('is worked on at once where the user wants that', async () => {
    await create('Create Branch and Start Dev Mode');
    const active = desk.session.activeBranch(desk.target);
    expect(active).toMatch(/^dev-/);
    expect((await desk.wire.last(createBranch))?.body).toMatchObject({ enterDevMode: true });
    const branches = await desk.data.of(desk.target).branches.get();
    expect(branches.find(({ name }) => name === active)?.parentBranch).toBe('feature/new');
  });
});
