import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDevMode } from '#api/resources/branches.ts';
import { createMcpServer } from '#cli/mcp/server.ts';
import { portsOf } from '#cli/ports.ts';
import { demo } from '#platform/seed/names.ts';
import { yaml } from '#support/language/raw.ts';
import { builtFrom, listingBranches } from '#support/listed-branches.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import { send } from '#support/platform.ts';
import { tools } from '#tools/tools.ts';
import { realEngine } from '#support/real-engine.ts';

const path = 'model/cubes/returns.yml';
const cube = (name: string): string => yaml`
  cubes:
    - name: ${name}
      sql_table: ${name}
`;

/** What an agent may write for the branch that production is built from, or for one that leads there. */
const names = [
  ...['main', 'MAIN', 'Main', ' main', 'main ', 'refs/heads/main', 'heads/main', 'origin/main', 'HEAD', './main'],
  ...[
    'dev-ada-1/../main',
    'dev-../main',
    'dev-main',
    'dev-',
    'main\u{200b}',
    'main\0',
    '1',
    '',
    '%6dain',
    'dev-ada-1\nmain',
  ],
];

const CHANGED = /something (?:has )?changed since/;

describe('an agent that wants to reach production', () => {
  let project: LinkedProject;
  let client: Client;

  beforeEach(async () => {
    project = await linkProject({ engine: realEngine() });
    await project.run('pull', '--yes');
    const ports = portsOf(project.folder, project.environment, 'refuse');
    const server = createMcpServer({ tools, pages: [], ports, version: '1' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    client = new Client({ name: 'agent', version: '1' });
    await Promise.all([server.connect(far), client.connect(near)]);
  });
  afterEach(() => client.close());

  /** Calls a tool; inputs that it does not have are refused, and then left out, so that what they are refused with is not all that holds. */
  async function call(name: string, input: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const entries = tools.find((tool) => tool.name === name)?.input.entries ?? {};
    const known = Object.fromEntries(Object.entries(input).filter(([key]) => Object.hasOwn(entries, key)));
    const isKnown = Object.keys(known).length === Object.keys(input).length;
    const invented = isKnown ? undefined : await client.callTool({ name, arguments: input });
    expect(invented?.isError ?? true).toBe(true);
    const { structuredContent, isError, content } = await client.callTool({ name, arguments: known });
    return isError === true ? { refused: JSON.stringify(content) } : (structuredContent as Record<string, unknown>);
  }

  const production = async (): Promise<string> => project.platform.control.git(demo.shop, 'rev-parse', 'main');

  it('cannot by calling a branch by another name', async () => {
    project.write(path, cube('returns'));
    const before = await production();
    for (const [name, input] of names.flatMap(
      (branch) =>
        [
          ['push', { branch }],
          ['pull', { branch }],
          ['write', { branch, path, content: cube('refunds'), push: true }],
          ['commit', { branch, message: 'x' }],
          ['merge', { branch }],
          ['merge', { branch, toDefault: true, removeBranch: true }],
        ] as const,
    )) {
      const answer = await call(name, {
        ...input,
        yes: true,
        yesProduction: 'Shop analytics',
        confirm: 'Shop analytics',
      });
      expect(answer).toHaveProperty('refused');
    }
    expect(await production()).toBe(before);
    expect(await project.platform.control.readFile(demo.shop, 'main', path)).toBeUndefined();
  });

  it('cannot by calling another deployment', async () => {
    project.write(path, cube('returns'));
    project.platform.control.clearRequestLog();
    for (const deployment of ['01', ' 1', '1 ', '1/../2', 'Shop analytics', String(demo.cli), String(demo.foreign)])
      for (const name of ['push', 'deploy', 'commit', 'merge'])
        expect(await call(name, { deployment, yes: true, message: 'x', branch: 'main' })).toHaveProperty('refused');
    expect(project.platform.control.requestLog.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('cannot where production is built from a branch that is named like a dev branch', async () => {
    project.write(path, cube('returns'));
    const { platform, branch } = project;
    const listed = listingBranches(builtFrom(branch));
    const real = platform.fetch.bind(platform);
    Object.assign(platform, { fetch: async (request: Request) => listed(request, async (asked) => real(asked)) });
    for (const [name, input] of [
      ['push', {}],
      ['push', { branch }],
      ['commit', { message: 'x' }],
      ['merge', { branch }],
      ['write', { path, content: cube('refunds'), push: true }],
    ] as const)
      expect((await call(name, { ...input, yes: true }))['refused']).toBeDefined();
    expect(await project.remote(path)).toBeUndefined();
  });

  it('does nothing where the active branch is another one than in the plan', async () => {
    project.write(path, cube('returns'));
    const shown = await call('push', {});
    const other = await send(project.platform, startDevMode, {
      params: { deploymentId: String(demo.shop) },
      body: { branchName: demo.sharedBranch },
    });
    expect(other.value.name).not.toBe(project.branch);
    const late = await call('push', { plan: shown['plan'], yes: true });
    expect(late['refused']).toMatch(CHANGED);
    for (const branch of [project.branch, other.value.name])
      expect(await project.platform.control.readFile(demo.shop, branch, path)).toBeUndefined();
  });

  it.each(['commit', 'merge'])('%s does exactly what was shown, or nothing', async (name) => {
    project.write(path, cube('returns'));
    await call('push', { yes: true });
    const input = name === 'commit' ? { message: 'Add returns' } : { branch: project.branch };
    const shown = await call(name, input);
    expect(shown).toMatchObject({ status: 'planned', files: [{ path, change: 'add' }] });
    expect(await call(name, input)).toMatchObject({ plan: shown['plan'] });
    project.write('model/cubes/more.yml', cube('more'));
    await call('push', { yes: true });
    const before = await production();
    const late = await call(name, { ...input, plan: shown['plan'], yes: true });
    expect(late['refused']).toMatch(CHANGED);
    // What is shown now is refused, too: production is for the user.
    const { plan } = await call(name, input);
    expect((await call(name, { ...input, plan, yes: true }))['refused']).toContain('Only the user can do this');
    expect(await production()).toBe(before);
  });

  it('cannot write outside of the model', async () => {
    const outside = dirname(project.folder);
    mkdirSync(join(outside, 'elsewhere'));
    symlinkSync(join(outside, 'elsewhere'), join(project.folder, 'model/linked'));
    for (const target of [
      ...['../outside.yml', 'model/../../outside.yml', '/etc/outside.yml', 'model/linked/x.yml'],
      ...[String.raw`model\..\..\outside.yml`, String.raw`C:\outside.yml`, 'model/cubes', 'modelbench.json'],
    ])
      expect(await call('write', { path: target, content: cube('x') })).toHaveProperty('refused');
    expect(readdirSync(join(outside, 'elsewhere'))).toEqual([]);
  });
});
