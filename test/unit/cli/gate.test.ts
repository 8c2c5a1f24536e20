import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { demo } from '#platform/seed/names.ts';
import { builtFrom, listingBranches } from '#support/listed-branches.ts';
import { linkProject } from '#support/linked-project.ts';
import { yaml } from '#support/language/raw.ts';

const cube = (name: string): string => yaml`
  cubes:
    - name: ${name}
      sql_table: ${name}
`;
const path = 'model/cubes/returns.yml';

describe('commit', () => {
  it('reaches production only with the name of the deployment', async () => {
    const { run, json, write, platform } = await linkProject();
    await run('pull', '--yes');
    write(path, cube('returns'));
    expect(await json('commit', 'Add returns')).toMatchObject({
      status: 'nothing',
      warnings: [expect.stringContaining('1 change of the folder is not on') as string],
    });
    await run('push', '--yes');
    const head = async (): Promise<string> => platform.control.git(demo.shop, 'rev-parse', 'main');
    const before = await head();
    const planned = await json('commit', 'Add returns');
    expect(planned).toMatchObject({
      status: 'planned',
      to: 'main',
      reachesProduction: true,
      files: [{ path, change: 'add' }],
    });
    const name = String(planned['confirm']);
    for (const more of [[], ['--yes-production', 'Something Else'], ['--yes-production', 'main']]) {
      const refused = await run('commit', 'Add returns', '--yes', ...more);
      expect(refused).toMatchObject({ code: 2, out: '' });
      expect(refused.err).toContain(`--yes-production ${JSON.stringify(name)}`);
    }
    expect(await head()).toBe(before);

    const done = await run('commit', 'Add returns', '--yes', '--yes-production', name);
    expect(done).toMatchObject({ code: 0, err: '' });
    expect(await head()).not.toBe(before);
    expect(await platform.control.git(demo.shop, 'log', '-1', '--format=%s', 'main')).toBe('Add returns\n');
    expect(await json('commit', 'Again', '--yes')).toMatchObject({ status: 'nothing' });
  });

  it('names what someone adds to the branch while it is being sent', async () => {
    const project = await linkProject();
    const { branch, json, platform, run, write } = project;
    await run('pull', '--yes');
    write(path, cube('returns'));
    await run('push', '--yes');
    const name = String((await json('commit', 'Add returns'))['confirm']);
    const send = platform.fetch.bind(platform);
    Object.assign(platform, {
      fetch: async (request: Request) => {
        if (new URL(request.url).pathname.endsWith('/commit')) {
          const files = [{ path: 'model/cubes/late.yml', content: cube('late') }];
          const headers = {
            authorization: request.headers.get('authorization') ?? '',
            'content-type': 'application/json',
          };
          const url = request.url.replace(/commit$/, 'data-model/files');
          const wrote = await send(
            new Request(url, { method: 'PUT', headers, body: JSON.stringify({ branchName: branch, files }) }),
          );
          if (!wrote.ok) throw new Error(await wrote.text());
        }
        return send(request);
      },
    });
    const { out } = await run('commit', 'Add returns', '--yes', '--yes-production', name);
    expect(out).toContain('“main” also has 1 change that you did not confirm');
    expect(out).toContain('model/cubes/late.yml');
  });

  it('fails where the platform confirms a commit that had no effect', async () => {
    const project = await linkProject();
    const { json, platform, run, write } = project;
    await run('pull', '--yes');
    write(path, cube('returns'));
    await run('push', '--yes');
    const name = String((await json('commit', 'Add returns'))['confirm']);
    const send = platform.fetch.bind(platform);
    Object.assign(platform, {
      fetch: async (request: Request) =>
        new URL(request.url).pathname.endsWith('/commit') ? Response.json({}) : send(request),
    });
    const { code, out, err } = await run('commit', 'Add returns', '--yes', '--yes-production', name);
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toContain('on “main” 1 file is as before: model/cubes/returns.yml.');
  });

  it('needs a message', async () => {
    const { run } = await linkProject();
    expect(await run('commit', ' ')).toMatchObject({ code: 2, out: '' });
  });
});

describe('a branch that production is built from, but that is named like a dev branch', () => {
  it('takes no push, pull or commit, and no file that is written and pushed', async () => {
    const project = await linkProject();
    const { branch, platform, run, write } = project;
    const listed = listingBranches(builtFrom(branch));
    const send = platform.fetch.bind(platform);
    Object.assign(platform, { fetch: async (request: Request) => listed(request, async (sent) => send(sent)) });
    write(path, cube('returns'));
    const before = await project.remote(path);
    for (const args of [
      ['push', '--yes'],
      ['push', branch, '--yes'],
      ['commit', 'Add returns', '--yes'],
      ['write', path, '--find', 'name: returns', '--replace', 'name: refunds', '--push'],
    ]) {
      const refused = await run(...args);
      expect([args[0], refused.code, refused.err]).toEqual([
        args[0],
        2,
        expect.stringContaining(`built from “${branch}”`),
      ]);
    }
    expect(await project.remote(path)).toBe(before);
  });
});

describe('merge', () => {
  it('goes to the branch that production is built from only with the name of the deployment', async () => {
    const { run, json, platform } = await linkProject();
    await platform.control.colleagueCommit(demo.shop, demo.sharedBranch, { [path]: cube('returns') });
    const planned = await json('merge', demo.sharedBranch, '--to-default');
    expect(planned).toMatchObject({ status: 'planned', to: 'main', reachesProduction: true });
    const args = ['merge', demo.sharedBranch, '--to-default', '--yes'];
    expect(await run(...args)).toMatchObject({ code: 2, out: '' });
    expect(await platform.control.readFile(demo.shop, 'main', path)).toBeUndefined();
    expect((await run(...args, '--yes-production', String(planned['confirm']))).code).toBe(0);
    expect(await platform.control.readFile(demo.shop, 'main', path)).toBe(cube('returns'));
  });
});

describe('deploy', () => {
  it('uploads exactly what was shown, with the name of the deployment', async () => {
    const { run, json, write, platform } = await linkProject({ deployment: demo.cli });
    write(path, cube('returns'));
    const planned = await json('deploy');
    expect(planned).toMatchObject({ status: 'planned', reachesProduction: true });
    const plan = String(planned['plan']);
    const hashes = async (): Promise<object> => platform.control.hashes(demo.cli, String(planned['to']));
    const before = await hashes();
    const name = String(planned['confirm']);
    expect(await run('deploy', '--yes', '--plan', plan)).toMatchObject({ code: 2, out: '' });
    expect(await hashes()).toEqual(before);
    const confirmed = ['deploy', '--yes', '--yes-production', name, '--plan', plan];
    write(path, cube('refunds'));
    expect((await run(...confirmed)).err).toContain('something has changed since');
    write(path, cube('returns'));
    expect(await run(...confirmed)).toMatchObject({ code: 0, err: '' });
    expect(await hashes()).toHaveProperty([path]);
  });

  it('follows links, except to what the project has no file of its own for, and says so', async () => {
    const { run, json, write, folder, platform } = await linkProject({ deployment: demo.cli });
    write('.env', 'CUBEJS_API_SECRET=secret');
    write('model/cubes/returns.yml', cube('returns'));
    symlinkSync('cubes/returns.yml', join(folder, 'model/again.yml'));
    symlinkSync('../.env', join(folder, 'model/settings.yml'));
    const { to, plan, confirm, warnings } = await json('deploy');
    expect(warnings).toEqual(
      expect.arrayContaining([expect.stringMatching(/settings\.yml” is left as it is: it is a link/)]),
    );
    const confirmed = ['deploy', '--yes', '--yes-production', String(confirm), '--plan', String(plan)];
    expect(await run(...confirmed)).toMatchObject({ code: 0, err: '' });
    const deployed = Object.keys(await platform.control.hashes(demo.cli, String(to)));
    expect(deployed).toEqual(expect.arrayContaining(['model/again.yml', 'model/cubes/returns.yml']));
    expect(deployed).not.toContain('model/settings.yml');
  });

  it('uploads what the user includes of what links bring in, and nothing else of it', async () => {
    const { run, json, write, folder, platform } = await linkProject({ deployment: demo.cli });
    const beside = join(dirname(folder), 'größe #1');
    mkdirSync(join(beside, 'team'), { recursive: true });
    writeFileSync(join(beside, 'team', 'b.yml'), cube('b'));
    writeFileSync(join(beside, 'team', 'c.yml'), cube('c'));
    write('.env', 'CUBEJS_API_SECRET=secret');
    write('model/own.yml', cube('own'));
    symlinkSync('../.env', join(folder, 'model/settings.yml'));
    symlinkSync(join(beside, 'team'), join(folder, 'model/team'));
    const plain = await json('deploy');
    const including = ['deploy', '--include-link', 'model/team/b.yml', '--include-link', './model/settings.yml/'];
    const { plan, to, confirm, warnings } = await json(...including);
    expect(plan).not.toBe(plain['plan']);
    expect((warnings as string[]).filter((text) => text.includes('link'))).toEqual([
      expect.stringMatching(
        /model\/team\/c\.yml” is left as it is: it is a link to .*größe #1\/team, outside of the project/,
      ),
      expect.stringMatching(
        /settings\.yml” is uploaded although it is a link to .*\.env, which is never deployed under/,
      ),
      expect.stringMatching(
        /team\/b\.yml” is uploaded although it is a link to .*größe #1\/team, outside of the project/,
      ),
    ]);
    const confirmed = ['--yes', '--yes-production', String(confirm), '--plan', String(plan)];
    // The reviewed plan includes links, so that it is not carried out without them.
    expect((await run('deploy', ...confirmed)).err).toContain('out of date');
    expect(await run(...including, ...confirmed)).toMatchObject({ code: 0, err: '' });
    const deployed = Object.keys(await platform.control.hashes(demo.cli, String(to)));
    expect(deployed).toEqual(expect.arrayContaining(['model/own.yml', 'model/settings.yml', 'model/team/b.yml']));
    expect(deployed).not.toContain('model/team/c.yml');
  });

  it.each(['', '.', 'model', 'model/own.yml', 'model/nothing.yml', '../team'])(
    'refuses to include “%s”, which is not a link out of the project',
    async (path) => {
      const { run, write, folder } = await linkProject({ deployment: demo.cli });
      write('model/own.yml', cube('own'));
      write('.env', 'CUBEJS_API_SECRET=secret');
      symlinkSync('../.env', join(folder, 'model/settings.yml'));
      const refused = await run('deploy', '--include-link', path);
      expect(refused).toMatchObject({ code: 2, out: '' });
      expect(refused.err).toContain(`“${path}” is not a link out of the project`);
    },
  );

  it('refuses a deployment that is built from a Git repository', async () => {
    const { run } = await linkProject();
    const refused = await run('deploy');
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('is not deployed by uploads');
  });
});
