import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TinyProject, tenantUrl } from '#support/tiny-project.ts';
import { movedProduction } from '#support/tiny-tenant.ts';
import {
  A,
  C,
  conflict,
  mine,
  N,
  type Operation,
  operations,
  shownArguments,
  text,
  theirs,
} from '#support/tiny-operations.ts';

/** What can happen between the plan that was shown and the end of the command. */
interface Change {
  readonly name: string;
  readonly happen: (project: TinyProject) => void;
  /** The kind of request that shows it: where one of these follows, nothing more is sent, and the command ends with an error. */
  readonly shownBy?: string;
  /** It counts until both sides were compared. */
  readonly untilCompared?: boolean;
  /** A version that the platform replaces without its client having seen it: there is no condition on the end of an upload. */
  readonly isRemote?: boolean;
}

const linkedTo = (link: Readonly<Record<string, string>>) => (project: TinyProject) =>
  project.write('modelbench.json', JSON.stringify({ tenant: tenantUrl, deployment: '1', ...link }));

const changes: readonly Change[] = [
  { name: 'the file changes here', happen: (project) => project.write(A, text('late here')) },
  { name: 'a file appears here', happen: (project) => project.write(N, text('new here')) },
  { name: 'the file changes there', isRemote: true, happen: ({ tenant }) => tenant.change(A, text('late there')) },
  { name: 'another file changes there', isRemote: true, happen: ({ tenant }) => tenant.change(C, text('late there')) },
  { name: 'the branch is deleted', shownBy: 'GET branches', happen: ({ tenant }) => tenant.deleteBranch() },
  {
    name: 'production is built from the branch',
    shownBy: 'GET branches',
    happen: ({ tenant }) => void (tenant.branches = movedProduction),
  },
  { name: 'the key is in dev mode elsewhere', happen: ({ tenant }) => void (tenant.active = 'dev-b') },
  { name: 'the key is withdrawn', shownBy: 'any', happen: ({ tenant }) => void (tenant.isKeyRefused = true) },
  { name: 'the folder is linked elsewhere', untilCompared: true, happen: linkedTo({ deployment: '2' }) },
  { name: 'the folder has another tenant', untilCompared: true, happen: linkedTo({ tenant: 'https://other.test' }) },
  { name: 'the folder has another model', untilCompared: true, happen: linkedTo({ modelPath: 'other' }) },
  { name: 'the link is gone', untilCompared: true, happen: (project) => project.remove('modelbench.json') },
];

/** Writes that have no condition, so that a version of someone else that comes in the same moment is replaced. */
const unconditional = new Set(['POST finish', 'PUT files', 'DELETE files']);

/** What was shown, from which each case begins. */
interface Shown {
  readonly project: TinyProject;
  readonly args: readonly string[];
  readonly putBack: () => void;
}

/** Pulls and shows an operation; the project is removed after the tests of this block. */
async function show(operation: Operation): Promise<Shown> {
  const project = new TinyProject({ [A]: text('agreed'), [C]: text('agreed', 'other', 'c') }, { honours: false });
  expect(await project.run('pull', '--yes')).toMatchObject({ code: 0, err: '' });
  const args = await shownArguments(operation, project);
  return { project, args, putBack: project.kept() };
}

/** Runs an operation that was shown, with a change before its request of this number; 0: before it begins. */
async function runWith({ project, args, putBack }: Shown, change: Change | undefined, at: number) {
  putBack();
  const { tenant } = project;
  let versions = new Set<string>();
  let isTooLate = false;
  let sentBefore = 0;
  const happen = (): void => {
    change?.happen(project);
    versions = project.versions();
    sentBefore = tenant.writes.length;
  };
  if (at === 0) happen();
  project.serve = async ({ number, kind }, answer) => {
    if (number === at) happen();
    if (number === at) isTooLate = unconditional.has(kind);
    return answer();
  };
  const ended = await project.run(...args);
  const now = project.versions();
  return {
    ...ended,
    isTooLate,
    lost: [...versions].filter((version) => !now.has(version) && !project.isKept(version)),
    writes: tenant.writes.slice(sentBefore),
    others: tenant.writes.filter((write) => !write.startsWith('dev-a ')),
    files: [A, C, N].map((path) => [project.read(path), tenant.of('dev-a').get(path)]),
  };
}

type Outcome = Awaited<ReturnType<typeof runWith>>;

/** Whether a command must end without sending anything, because a request from this one on shows the change. */
function mustStop({ shownBy, untilCompared }: Change, at: number, { requests, writes }: Outcome): boolean {
  const rest = requests.slice(Math.max(0, at - 1));
  switch (shownBy) {
    case undefined:
      return untilCompared === true && at <= requests.indexOf('GET file-hashes') + 1;
    case 'any':
      return rest.some((kind) => kind !== 'GET file-hashes');
    default:
      // To read a branch that production is built from is harmless.
      return writes.length > 0 && rest.includes(shownBy);
  }
}

/** Returns what is wrong with the end of a command during which something has changed. */
function wrongIn(change: Change, at: number, outcome: Outcome, whole: Outcome): readonly string[] {
  const { code, err, out, lost, writes, others, isTooLate } = outcome;
  const isStopped = mustStop(change, at, whole);
  const checks: readonly (readonly [boolean, string])[] = [
    [lost.length > 0 && !(isTooLate && change.isRemote === true), `lost ${lost.join()}`],
    // Until it has asked for it, a command without a plan takes the branch that the key is in dev mode on.
    [
      others.length > 0 && at > whole.requests.indexOf('GET build-status') + 1,
      `sent to another branch: ${others.join()}`,
    ],
    [isStopped && writes.length > 0 && !isTooLate, `sent ${writes.join()}`],
    [isStopped && code === 0, 'was not stopped'],
    [code !== 0 && `${err}${out}`.trim() === '', 'says nothing'],
    [err.split('\n').length > 2, `several errors: ${err}`],
  ];
  const found = checks.flatMap(([isWrong, text]) => (isWrong ? [text] : []));
  return found.map((each) => `before request ${at} of ${whole.requests.join(', ')}: ${each}`);
}

describe.each(operations)('$name, as it was shown', (operation) => {
  let shown: Shown;
  let whole: Outcome;
  beforeAll(async () => {
    shown = await show(operation);
    whole = await runWith(shown, undefined, -1);
  });
  afterAll(() => shown.project[Symbol.dispose]());

  it('is done where nothing changes, also if it was done before', async () => {
    expect(whole).toMatchObject({ code: 0, err: '', lost: [], others: [] });
    const { code, requests, files, writes } = await runWith(shown, undefined, -1);
    expect({ code, requests, files, writes }).toEqual({
      code: 0,
      requests: whole.requests,
      files: whole.files,
      writes: whole.writes,
    });
  });

  it.each(changes)('loses nothing, reaches nothing else and reports it where $name', async (change) => {
    const wrong: string[] = [];
    const last = change.untilCompared === true ? whole.requests.indexOf('GET file-hashes') + 1 : whole.requests.length;
    for (let at = 0; at <= last; at += 1) wrong.push(...wrongIn(change, at, await runWith(shown, change, at), whole));
    expect(wrong).toEqual([]);
  });

  it('reads the branches again after the comparison if it writes to the platform', () => {
    const compared = whole.requests.indexOf('GET file-hashes');
    const isRead = whole.requests.slice(compared).includes('GET branches');
    expect(isRead || whole.writes.length === 0).toBe(true);
  });
});

describe('the version that a user chose or wrote', () => {
  it.each([
    ['merge', 'resolve', '--yes'],
    ['take mine', 'resolve', '--yes', '--take', 'mine'],
  ])('is the only one that goes to the branch: %s', async (_, ...args) => {
    using project = new TinyProject({ [A]: text('agreed') }, { honours: true });
    await project.run('pull', '--yes');
    conflict(project);
    const late = text('late here');
    let lists = 0;
    project.serve = async ({ kind }, answer) => {
      const answered = await answer();
      if (kind === 'GET file-hashes') lists += 1;
      // After both versions were compared for the last time.
      if (kind === 'GET file-hashes' && lists === 2) project.write(A, late);
      return answered;
    };
    expect(await project.run(...args)).toMatchObject({ code: 1 });
    expect([project.read(A), project.tenant.of('dev-a').get(A)]).toEqual([late, theirs]);
  });

  it('is the only one that a write pushes, where the user types in the file meanwhile', async () => {
    using project = new TinyProject({ [A]: text('agreed') }, { honours: true });
    await project.run('pull', '--yes');
    const late = text('late here');
    project.serve = async ({ number }, answer) => {
      if (number === 4) project.write(A, late);
      return answer();
    };
    const { code, out } = await project.run('write', A, '--content', mine, '--push');
    expect([code, out]).toEqual([1, expect.stringContaining('it has changed since it was written')]);
    expect([project.read(A), project.tenant.of('dev-a').get(A)]).toEqual([late, text('agreed')]);
  });
});
