import { describe, expect, it, onTestFinished } from 'vitest';
import { type CallTool, TinyProject, tenantUrl } from '#support/tiny-project.ts';
import { movedProduction, type TinyTenant } from '#support/tiny-tenant.ts';
import { A, C, mine, N, text, theirs } from '#support/tiny-operations.ts';

/** A commit or merge of `dev-a`, with the branch that it is shown to change. */
interface Step {
  readonly name: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly to: 'main' | 'team';
}

const commit = { tool: 'commit', input: { message: 'Why' } };
const merge = { tool: 'merge', input: { branch: 'dev-a' } };
const toDefault = { tool: 'merge', input: { branch: 'dev-a', toDefault: true } };

/** A user's terminal reaches production; an agent reaches shared branches. */
const steps: readonly (Step & { readonly face: 'terminal' | 'agent' })[] = [
  { name: 'commit in a terminal', face: 'terminal', ...commit, to: 'main' },
  { name: 'merge to the default branch in a terminal', face: 'terminal', ...toDefault, to: 'main' },
  { name: 'merge of an agent', face: 'agent', ...merge, to: 'team' },
];

/** What can happen between the plan that was shown and the end of the step. */
interface Change {
  readonly name: string;
  readonly happen: (project: TinyProject, step: Step) => void;
  /** The kind of request that shows it: where one of these follows, the step is not sent. */
  readonly shownBy?: string;
}

const link = (project: TinyProject, linked: Readonly<Record<string, string>>): void =>
  project.write('modelbench.json', JSON.stringify({ tenant: tenantUrl, deployment: '1', ...linked }));

const parent = (tenant: TinyTenant, parentBranch: string): void => {
  tenant.branches = tenant.branches.map((row) => (row.name === 'dev-a' ? { ...row, parentBranch } : row));
};

const changes: readonly Change[] = [
  {
    name: 'a file appears on the branch',
    shownBy: 'GET file-hashes dev-a',
    happen: ({ tenant }) => tenant.change(N, mine),
  },
  { name: 'its file changes there', shownBy: 'GET file-hashes dev-a', happen: ({ tenant }) => tenant.change(A, mine) },
  {
    name: 'a file appears on the branch that is changed',
    shownBy: 'GET file-hashes of the other',
    happen: ({ tenant }, { to }) => void tenant.of(to).set(N, mine),
  },
  { name: 'the branch is deleted', shownBy: 'GET branches', happen: ({ tenant }) => tenant.deleteBranch() },
  {
    name: 'the branch is deleted and made again',
    shownBy: 'GET file-hashes dev-a',
    happen: ({ tenant }) => void tenant.of('dev-a').set(C, mine),
  },
  {
    name: 'the branch is renamed',
    shownBy: 'GET branches',
    happen: ({ tenant }) => {
      tenant.branches = tenant.branches.map((row) => (row.name === 'dev-a' ? { ...row, name: 'dev-z' } : row));
    },
  },
  {
    name: 'production is built from the branch',
    shownBy: 'GET branches',
    happen: ({ tenant }) => void (tenant.branches = movedProduction),
  },
  {
    name: 'the branch has another parent',
    // What goes to the default branch does not depend on it.
    shownBy: 'GET branches, of a step to the parent',
    happen: ({ tenant }) => parent(tenant, 'dev-b'),
  },
  {
    name: 'production is built from the shared branch',
    shownBy: 'GET branches',
    happen: ({ tenant }) => {
      tenant.branches = tenant.branches.map((row) => ({ ...row, parentBranch: row.name === 'team' ? null : 'team' }));
    },
  },
  {
    name: 'another deployment has the name',
    happen: ({ tenant }) => {
      tenant.deployments = tenant.deployments.map((row) => ({ ...row, name: row.id === 1 ? 'Bank' : 'Shop' }));
    },
  },
  { name: 'the deployment is deleted', shownBy: 'any', happen: ({ tenant }) => void (tenant.deployments = []) },
  { name: 'the key is in dev mode elsewhere', happen: ({ tenant }) => void (tenant.active = 'dev-b') },
  { name: 'the key is withdrawn', shownBy: 'any', happen: ({ tenant }) => void (tenant.isKeyRefused = true) },
  { name: 'the folder is linked elsewhere', happen: (project) => link(project, { deployment: '2' }) },
  { name: 'the folder has another tenant', happen: (project) => link(project, { tenant: 'https://other.test' }) },
  { name: 'the link is gone', happen: (project) => project.remove('modelbench.json') },
  { name: 'the file changes here', happen: (project) => project.write(A, mine) },
];

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly requests: readonly string[];
  /** What was sent, each with the branch that it changed. */
  readonly sent: readonly string[];
  /** What the branch that was shown has besides what it had. */
  readonly brought: readonly string[];
}

/** Runs a step whose plan was shown, with a change before its request of this number; 0: before it begins. */
async function runWith(step: (typeof steps)[number], change: Change | undefined, at: number): Promise<Outcome> {
  using project = new TinyProject({ [A]: text('agreed'), [C]: text('agreed', 'other', 'c') }, { honours: false });
  const { tenant } = project;
  tenant.branches = [...tenant.branches, { name: 'team', parentBranch: 'main' }];
  if (step.to === 'team') parent(tenant, 'team');
  tenant.change(A, theirs);
  const agent = await project.agent();
  const { value } = await agent(step.tool, step.input);
  expect(value).toMatchObject({ status: 'planned', to: step.to });
  tenant.writes.length = 0;
  let before = new Map<string, string>();
  const happen = (): void => {
    change?.happen(project, step);
    before = new Map(tenant.of(step.to));
  };
  if (at <= 0) happen();
  const requests: string[] = [];
  project.serve = async ({ number, kind, request }, answer) => {
    const branch = new URL(request.url).searchParams.get('branchName');
    requests.push(branch === null ? kind : `${kind} ${branch}`);
    if (number === at) happen();
    return answer();
  };
  const press = step.face === 'agent' ? byAgent(agent) : byTerminal(project, String(value['confirm']));
  const ended = await press(step, String(value['plan']));
  const after = [...tenant.of(step.to)].filter(([path, content]) => before.get(path) !== content);
  return {
    ...ended,
    requests,
    sent: [...tenant.writes],
    brought: after.map(([path, content]) => `${path} ${content}`),
  };
}

type Press = (step: Step, plan: string) => Promise<Omit<Outcome, 'sent' | 'brought'>>;

const byAgent =
  (agent: CallTool): Press =>
  async ({ tool, input }, plan) =>
    agent(tool, { ...input, plan, yes: true });

/** As the user types it, in a process of its own: a plan is known by what it holds. */
const byTerminal =
  (project: TinyProject, confirm: string): Press =>
  async ({ tool, input }, plan) => {
    const { message, branch, toDefault: isToDefault } = input;
    const named = String(message ?? branch);
    const more = isToDefault === true ? ['--to-default'] : [];
    return project.run(tool, named, ...more, '--yes', '--plan', plan, '--yes-production', confirm);
  };

const isStep = (kind: string): boolean => kind.startsWith('POST');

/** Returns the kind of request that shows a change of what a step does. */
function shownIn({ shownBy }: Change, { to, input }: Step): string | undefined {
  if (shownBy === 'GET file-hashes of the other') return `GET file-hashes ${to}`;
  if (shownBy !== 'GET branches, of a step to the parent') return shownBy;
  return 'toDefault' in input ? undefined : 'GET branches';
}

/** Returns what is wrong with the end of a step during which something has changed. */
function wrongIn(shownBy: string | undefined, at: number, outcome: Outcome, whole: Outcome): readonly string[] {
  const { code, out, err, sent, brought } = outcome;
  // The step itself decides nothing.
  const reads = whole.requests.slice(Math.max(0, at - 1), whole.requests.findIndex(isStep));
  const isShown = shownBy === 'any' ? reads.length > 0 : shownBy !== undefined && reads.includes(shownBy);
  const isWhole = JSON.stringify(brought) === JSON.stringify(whole.brought);
  const isReported = /did not confirm|neither branch had|as before/.test(out + err);
  const checks: readonly (readonly [boolean, string])[] = [
    [sent.some((write) => !whole.sent.includes(write)) && isShown, `sent to another branch: ${sent.join()}`],
    [isShown && sent.length > 0, `sent although it was shown: ${sent.join()}`],
    [sent.length > 0 && !isWhole && !isReported && code === 0, `brought ${brought.join()}, says ${out}`],
    [sent.length === 0 && brought.length > 0, `brought without a step: ${brought.join()}`],
    [sent.length === 0 && code === 0, 'sent nothing and calls that a success'],
    [code !== 0 && `${err}${out}`.trim() === '', 'says nothing'],
    [err.trim().split('\n').length > 1, `several errors: ${err}`],
  ];
  const found = checks.flatMap(([isWrong, what]) => (isWrong ? [what] : []));
  return found.map((each) => `before request ${at} of ${whole.requests.join(', ')}: ${each}`);
}

describe.each(steps)('a $name, as it was shown', (step) => {
  it('is sent where nothing changes', async () => {
    const whole = await runWith(step, undefined, -1);
    expect(whole).toMatchObject({ code: 0, err: '', brought: [`${A} ${theirs}`] });
    expect(whole.sent).toEqual([expect.stringMatching(new RegExp(`^${step.to} POST`))]);
  });

  it.each(changes)('is the only one that is sent, or none, where $name', async (change) => {
    const whole = await runWith(step, undefined, -1);
    const wrong: string[] = [];
    const shownBy = shownIn(change, step);
    const sending = whole.requests.findIndex(isStep) + 1;
    const reads = whole.requests.slice(0, sending - 1);
    const last = shownBy === 'any' ? reads.length : reads.lastIndexOf(shownBy ?? '') + 1;
    // Before the press, when it can be noticed for the last time, right after that, and as the step is sent.
    for (const at of new Set([0, last, last + 1, sending]))
      wrong.push(...wrongIn(shownBy, at, await runWith(step, change, at), whole));
    expect(wrong).toEqual([]);
  });
});

describe('the plan of an agent, whose server lives on', () => {
  async function planned() {
    // The server outlives a block of its test.
    const project = new TinyProject({ [A]: text('agreed'), [C]: text('agreed', 'other', 'c') }, { honours: false });
    onTestFinished(() => project[Symbol.dispose]());
    const agent = await project.agent();
    await agent('pull', { yes: true });
    project.write(A, mine);
    project.tenant.change(C, undefined);
    project.tenant.writes.length = 0;
    return { project, agent, plan: String((await agent('plan', {})).value['plan']) };
  }
  const files = ({ tenant, read }: Pick<TinyProject, 'tenant' | 'read'>) =>
    [A, C].map((path) => [read(path), tenant.of('dev-a').get(path)]);

  it.each(['push', 'pull'])('is done by %s once', async (way) => {
    const { agent, plan } = await planned();
    expect(await agent(way, { yes: true, plan })).toMatchObject({ code: 0 });
    const { code, err } = await agent(way, { yes: true, plan });
    expect([code, err]).toEqual([1, expect.stringContaining('out of date')]);
  });

  it.each([
    ['the folder is linked elsewhere', (project: TinyProject) => link(project, { deployment: '2' })],
    ['the folder has another model', (project: TinyProject) => link(project, { modelPath: 'other' })],
    ['the link is gone', (project: TinyProject) => project.remove('modelbench.json')],
    ['the file changes here', (project: TinyProject) => project.write(A, text('late'))],
    ['the file changes there', ({ tenant }: TinyProject) => tenant.change(A, theirs)],
    ['the branch is deleted', ({ tenant }: TinyProject) => tenant.deleteBranch()],
    ['the key is in dev mode elsewhere', ({ tenant }: TinyProject) => void (tenant.active = 'dev-b')],
    ['production is built from the branch', ({ tenant }: TinyProject) => void (tenant.branches = movedProduction)],
  ])('is refused by push and pull where %s since', async (_name, happen) => {
    const { project, agent, plan } = await planned();
    happen(project);
    const before = files({ tenant: project.tenant, read: (path) => project.read(path) });
    for (const way of ['push', 'pull']) {
      const { code, err } = await agent(way, { yes: true, plan });
      expect([code, err.trim().split('\n').length]).toEqual([1, 1]);
      expect(err).not.toBe('');
    }
    expect(files({ tenant: project.tenant, read: (path) => project.read(path) })).toEqual(before);
    expect(project.tenant.writes).toEqual([]);
  });

  it('takes a write back once, and leaves a file alone that changed since', async () => {
    const { project, agent } = await planned();
    const first = await agent('write', { path: A, content: text('first') });
    project.write(A, text('late'));
    expect(await agent('undo', { token: first.value['undo'] })).toMatchObject({ code: 1 });
    expect(project.read(A)).toBe(text('late'));
    const second = await agent('write', { path: A, content: text('second') });
    link(project, { deployment: '2' });
    expect(await agent('undo', { token: second.value['undo'] })).toMatchObject({ code: 0 });
    expect(project.read(A)).toBe(text('late'));
    expect(await agent('undo', { token: second.value['undo'] })).toMatchObject({ code: 1 });
    expect(project.read(A)).toBe(text('late'));
  });

  it('restores a version only from the trash of the deployment that the folder is linked to', async () => {
    const { project, agent } = await planned();
    project.tenant.change(A, theirs);
    await agent('resolve', { take: 'theirs', yes: true });
    const { versions } = (await agent('restore', {})).value as {
      readonly versions: readonly { readonly version: string }[];
    };
    expect(versions).toHaveLength(1);
    link(project, { deployment: '2' });
    const restored = await agent('restore', { version: versions[0]?.version });
    expect([restored.code, restored.err]).toEqual([1, expect.stringContaining('The trash has no version')]);
    expect(project.read(A)).toBe(theirs);
  });
});
