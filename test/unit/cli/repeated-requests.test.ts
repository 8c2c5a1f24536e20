import { describe, expect, it } from 'vitest';
import { runCommandLine } from '#cli/run.ts';
import { demo } from '#platform/seed/names.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** How often a request with this method and end of path was sent. */
  readonly sent: number;
}

type Fault = (request: Request, platform: LinkedProject['platform']) => Promise<Response>;

/** Runs a command. The first request with this method and end of path meets a fault. */
async function faulty(project: LinkedProject, at: string, fault: Fault, ...args: string[]): Promise<Ended> {
  const { environment, platform } = project;
  let [out, err, sent] = ['', '', 0];
  const code = await runCommandLine(args, {
    ...environment,
    limits: { ...environment.limits, backoffMs: 0 },
    stdout: (text) => (out += text),
    stderr: (text) => (err += text),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const [method, end = ''] = at.split(' ');
      if (request.method !== method || !new URL(request.url).pathname.endsWith(end)) return platform.fetch(request);
      sent += 1;
      return sent === 1 ? fault(request, platform) : platform.fetch(request);
    },
  });
  return { code, out, err, sent };
}

const refused =
  (status: number, headers: Readonly<Record<string, string>> = {}): Fault =>
  () =>
    Promise.resolve(Response.json({ error: { message: 'busy' } }, { status, headers }));

const reset = (): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });

const lost: Fault = async (request, platform) => {
  await platform.fetch(request);
  throw reset();
};

const cut: Fault = () => Promise.reject(reset());

/** A project whose dev branch has a change, and the arguments that commit it. */
async function changed(): Promise<{ readonly project: LinkedProject; readonly commit: string[] }> {
  const project = await linkProject();
  await project.run('pull', '--yes');
  project.write('model/cubes/n.yml', 'cubes: [{name: n, sql_table: t}]\n');
  expect((await project.run('push', '--yes')).err).toBe('');
  const { confirm } = await project.json('commit', 'Add n');
  expect(confirm).toEqual(expect.any(String));
  return { project, commit: ['commit', 'Add n', '--yes', '--yes-production', confirm as string] };
}

const added = { 'model/cubes/n.yml': 'cubes: [{name: n, sql_table: t}]\n' };

/** A project whose shared branch has a change, the arguments that merge it, and the request that does. */
async function mergeable(...options: readonly string[]) {
  const project = await linkProject();
  await project.platform.control.colleagueCommit(demo.shop, demo.sharedBranch, added);
  const shown = ['merge', demo.sharedBranch, ...options];
  const { confirm } = await project.json(...shown);
  const at = options.includes('--to-default') ? 'POST /merge-to-default' : 'POST /merge';
  return { project, merge: [...shown, '--yes', '--yes-production', String(confirm)], at };
}

describe('the command line and requests that fail once', () => {
  it.each([
    ['429', refused(429)],
    ['429 with Retry-After', refused(429, { 'retry-after': '0' })],
    ['502', refused(502)],
    ['503 with Retry-After', refused(503, { 'retry-after': '0' })],
    ['a lost connection', cut],
  ])('reads again after %s', async (_, fault) => {
    const { code, err, sent } = await faulty(await linkProject(), 'GET /branches', fault, 'branches');
    expect({ code, err, sent: sent > 1 }).toEqual({ code: 0, err: '', sent: true });
  });

  it.each([
    ['502', refused(502), /The platform did not show the change when it was asked afterwards/],
    ['503 with Retry-After', refused(503, { 'retry-after': '0' }), /busy/],
    ['a lost connection', cut, /The platform did not show the change when it was asked afterwards/],
  ])('never sends a commit again after %s', async (_, fault, says) => {
    const { project, commit } = await changed();
    const { code, out, err, sent } = await faulty(project, 'POST /commit', fault, ...commit);
    expect({ code, out, sent }).toEqual({ code: 3, out: '', sent: 1 });
    expect(err).toMatch(says);
  });

  it('finds a commit that was made although its answer was lost', async () => {
    const { project, commit } = await changed();
    const { code, out, err, sent } = await faulty(project, 'POST /commit', lost, ...commit);
    expect({ code, err, sent }).toEqual({ code: 0, err: '', sent: 1 });
    expect(out).toContain('Committed');
  });

  it.each([
    ['its parent', []],
    ['production', ['--to-default']],
  ] as const)('finds a merge to %s whose answer was lost, where it removes the branch', async (_, into) => {
    const { project, merge, at } = await mergeable(...into, '--remove-branch');
    const { code, out, err, sent } = await faulty(project, at, lost, ...merge);
    expect({ code, err, sent }).toEqual({ code: 0, err: '', sent: 1 });
    expect(out).toContain(`Merged “${demo.sharedBranch}”`);
  });

  it.each([
    ['was made', lost],
    ['was not made', cut],
  ])('never sends a merge again, and says that it may be there, where it %s', async (_, fault) => {
    for (const into of [[], ['--to-default']]) {
      const { project, merge, at } = await mergeable(...into);
      const { code, out, err, sent } = await faulty(project, at, fault, ...merge);
      expect({ code, out, sent }).toEqual({ code: 3, out: '', sent: 1 });
      expect(err).toMatch(/^modelbench: .* It may have been done anyway: refresh and check before you try again\.\n$/);
      // Where the first merge was made, the second one has nothing to bring.
      expect(await project.run(...merge)).toMatchObject({ code: 0, err: '' });
      expect(await project.platform.control.readFile(demo.shop, 'main', Object.keys(added)[0] ?? '')).toBeDefined();
    }
  });
});
