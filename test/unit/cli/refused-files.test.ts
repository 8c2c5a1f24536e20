import { type ChildProcess, execFile, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerType } from '@hono/node-server';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from '#cli/run.ts';
import { stateFolder } from '#sync/disk/state-folder.ts';
import { closeServer, listen } from '#platform/listen.ts';
import { demo } from '#platform/seed/names.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import type { HostedCommand, HostedEnd } from '#support/command-host.ts';
import { builtCommandLine } from '#support/packed-command-line.ts';
import { changeBranch } from '#support/sync/linked-folder.ts';
import { canMount, mountSmallDisk } from '#support/sync/small-disk.ts';
import { hasFeature } from '#support/sync/test-disk.ts';

const CHANGED = 'model/cubes/suppliers.yml';
const ADDED = 'model/cubes/added.yml';
const DELETED = 'model/cubes/returns.js';

/** A user with an own folder and an own state folder, who is not root: root is refused nothing. */
interface UserDesk extends LinkedProject {
  readonly state: string;
  /** Runs a command as the user, in the one process that does so for all tests. */
  readonly as: (...args: readonly string[]) => Promise<HostedEnd>;
  /** Starts the program for the command. */
  readonly asProcess: UserDesk['as'];
  /** Pulls everything before the test begins, in this process, which is quicker, and gives what that wrote to the user. */
  readonly prepare: () => Promise<void>;
  readonly at: (path: string) => string;
}

/** What is refused, and what the user reads about it. */
interface Refusal {
  readonly refuse: (desk: UserDesk) => void;
  readonly allow: (desk: UserDesk) => void;
  readonly pull: RegExp;
  readonly push: RegExp;
  /** Set where only root can arrange it. */
  readonly byRoot?: true;
  /** Set where also the start of a process needs what is refused. */
  readonly atStart?: true;
}

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const own = isRoot ? { uid: nobody, gid: nobody } : {};

/** Whether this process can run a program as a user to whom permissions apply. */
function isTriable(): boolean {
  if (process.platform === 'win32' || !hasFeature('permissions')) return false;
  try {
    execFileSync(process.execPath, ['--version'], { ...own, cwd: '/', stdio: 'ignore' });
    return true;
  } catch (error) {
    console.log(`not tried: no program can be run as another user here (${String(error)})`);
    return false;
  }
}

/** Changes the mode of a path of the project until it is allowed again. */
const mode = (path: string, refused: number, allowed: number): Pick<Refusal, 'refuse' | 'allow'> => ({
  refuse: ({ at }) => chmodSync(at(path), refused),
  allow: ({ at }) => chmodSync(at(path), allowed),
});

/** Changes the modes of everything in the state folder. */
function modeOfState({ state }: UserDesk, folders: number, files: number): void {
  for (const entry of readdirSync(state, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? folders : files);
}

/** Gives a file and its folder, in which only owners may rename, to another user. */
const owned = (file: string, fileMode: number): Pick<Refusal, 'refuse' | 'allow' | 'byRoot'> => ({
  byRoot: true,
  refuse: ({ at }) => {
    chownSync(at('model/cubes'), 0, 0);
    chmodSync(at('model/cubes'), 0o1777);
    chownSync(at(file), 0, 0);
    chmodSync(at(file), fileMode);
  },
  allow: ({ at }) => {
    for (const path of ['model/cubes', file]) chownSync(at(path), nobody, nobody);
    chmodSync(at('model/cubes'), 0o755);
    chmodSync(at(file), 0o644);
  },
});

const untouched = /^Pushed 0 files\.$/m;
const unread = (path: string): RegExp =>
  new RegExp(
    `^${path.replace('.', String.raw`\.`)}: It was left as it is \\(cannot be read; check its permissions\\)\\.$`,
    'm',
  );

const refusals: Readonly<Record<string, Refusal>> = {
  'a folder that may not be written to': {
    ...mode('model/cubes', 0o555, 0o755),
    pull: /^model\/cubes\/suppliers\.yml: no permission\. Check the permissions of the file and its folder\.$/m,
    push: untouched,
  },
  'a folder whose files may not be reached': {
    ...mode('model/cubes', 0o644, 0o755),
    pull: unread(CHANGED),
    push: unread(CHANGED),
  },
  'a folder that may not be listed': {
    ...mode('model/cubes', 0o311, 0o755),
    pull: unread('model/cubes'),
    push: unread('model/cubes'),
  },
  'the model folder itself': { ...mode('model', 0, 0o755), pull: unread('model'), push: unread('model') },
  'a file that may not be read': { ...mode(CHANGED, 0, 0o644), pull: unread(CHANGED), push: unread(CHANGED) },
  'the file with the link': {
    ...mode('modelbench.json', 0, 0o644),
    pull: /“[^”]*modelbench\.json” cannot be used: permission is denied\. Change its permissions/,
    push: /“[^”]*modelbench\.json” cannot be used: permission is denied\. Change its permissions/,
  },
  'the project folder': {
    ...mode('.', 0o644, 0o755),
    pull: /“[^”]+” cannot be used: permission is denied\. Change its permissions/,
    push: /“[^”]+” cannot be used: permission is denied\. Change its permissions/,
  },
  'the notes of sync': {
    // Node stores the compiled program there.
    atStart: true,
    refuse: (desk) => modeOfState(desk, 0o555, 0o444),
    allow: (desk) => modeOfState(desk, 0o700, 0o600),
    pull: /The lock of this folder \(in “[^”]+”\): no permission\. Check the permissions/,
    push: /The lock of this folder \(in “[^”]+”\): no permission\. Check the permissions/,
  },
  'the trash': {
    refuse: (desk) => chmodSync(trashOf(desk), 0o555),
    allow: (desk) => chmodSync(trashOf(desk), 0o700),
    pull: /^model\/cubes\/suppliers\.yml: The trash “[^”]+”: no permission\. Check the permissions/m,
    push: untouched,
  },
  'a file of another user': { ...owned(CHANGED, 0o600), pull: unread(CHANGED), push: unread(CHANGED) },
  'a file of another user that may be read': {
    ...owned(CHANGED, 0o644),
    pull: /^model\/cubes\/suppliers\.yml: no permission\. Check the permissions of the file and its folder\.$/m,
    push: untouched,
  },
};

/** Returns the folder of the trash, and makes it if nothing is in it yet. */
function trashOf({ state }: UserDesk): string {
  const found = readdirSync(state, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith('/branches'));
  if (found === undefined) throw new Error('Nothing was synced yet.');
  const trash = join(state, found, '../trash');
  mkdirSync(trash, { recursive: true });
  if (isRoot) chownSync(trash, nobody, nobody);
  return trash;
}

describe.runIf(isTriable())('the command line of a user whom the system refuses', { tags: ['machine'] }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-refused-'));
  let dist: string;
  let host: ChildProcess;
  const gone = new AbortController();
  beforeAll(async () => {
    dist = await builtCommandLine(folder, ['cli', 'hash-worker']);
    const program = join(folder, 'host.cjs');
    await build({ entryPoints: ['test/support/command-host.ts'], outfile: program, bundle: true, platform: 'node' });
    openTo(folder);
    host = fork(program, { ...own, cwd: '/', execArgv: [] });
    host.once('exit', () => gone.abort());
  });
  afterAll(() => {
    host.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  async function hosted(command: HostedCommand): Promise<HostedEnd> {
    const ended = once(host, 'message', { signal: gone.signal }) as Promise<[HostedEnd]>;
    host.send(command);
    return (await ended)[0];
  }

  /** Gives others the right to read what a test has made. */
  function openTo(path: string): void {
    execFileSync('chmod', ['-R', 'a+rX', path]);
  }

  async function sitDown(): Promise<UserDesk> {
    const project = await linkProject();
    const servers: ServerType[] = [];
    const { url } = await listen(async (request) => project.platform.fetch(request), 0, servers);
    onTestFinished(async () => {
      for (const server of servers) await closeServer(server);
    });
    const home = join(project.folder, '..');
    const state = join(home, 'state');
    mkdirSync(state);
    project.write('modelbench.json', JSON.stringify({ tenant: url, deployment: String(demo.shop) }));
    const give = (): void => {
      if (isRoot) execFileSync('chown', ['-R', `${nobody}:${nobody}`, home]);
    };
    openTo(home);
    give();
    const env = {
      ...{ PATH: process.env['PATH'] ?? '', HOME: home, XDG_STATE_HOME: state },
      ...{ MODELBENCH_API_KEY: project.platform.apiKey, MODELBENCH_TENANT_URL: url },
    };
    // As it is shown from the root folder, in which a user may always be.
    const shown = project.folder.replace(/^\//, '');
    const named = ({ code, text }: HostedEnd): HostedEnd => ({ code, text: text.replaceAll(`${shown}/`, '') });
    const inFolder = (args: readonly string[]): readonly string[] => [...args, '--folder', project.folder];
    const as: UserDesk['as'] = async (...args) =>
      named(await hosted({ args: inFolder(args), variables: env, hashWorker: join(dist, 'hash-worker.js') }));
    const asProcess: UserDesk['as'] = async (...args) =>
      new Promise((resolve) => {
        const all = [join(dist, 'cli.js'), ...inFolder(args)];
        const child = execFile(process.execPath, all, { ...own, env, cwd: '/' }, (_error, out, err) =>
          resolve(named({ code: child.exitCode ?? -1, text: out + err })),
        );
      });
    const prepare = async (): Promise<void> => {
      let text = '';
      const write = (more: string): void => void (text += more);
      const code = await runCommandLine(['pull', '--yes'], {
        ...project.environment,
        ...{ variables: env, state: stateFolder(env), fetch: globalThis.fetch, stdout: write, stderr: write },
      });
      expect({ code, text }).toMatchObject({ code: 0 });
      give();
    };
    return { ...project, state, as, asProcess, prepare, at: (path) => join(project.folder, path) };
  }

  /** Brings everything, and lets a colleague change, add and delete a file. */
  async function changedThere(): Promise<UserDesk> {
    const desk = await sitDown();
    const { platform, branch } = desk;
    await desk.prepare();
    await changeBranch(platform, branch, {
      [CHANGED]: '# theirs\n',
      [ADDED]: '# added\n',
      [DELETED]: null,
    });
    return desk;
  }

  function hiddenFiles({ folder: project }: UserDesk): readonly string[] {
    return readdirSync(project, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('.modelbench-'));
  }

  const cases = Object.entries(refusals).filter(([, { byRoot }]) => isRoot || byRoot !== true);
  it.each(cases)('says what to do about %s, loses nothing, and continues afterwards', async (_, refusal) => {
    const desk = await changedThere();
    const { read, remote } = desk;
    const as = refusal.atStart === true ? desk.asProcess : desk.as;
    const before = read(CHANGED);
    refusal.refuse(desk);
    const ends = [await as('pull', '--yes'), await as('push', '--yes')];
    const again = await as('pull', '--yes');
    refusal.allow(desk);
    for (const { text } of [...ends, again]) expect(text).not.toMatch(/\bE[A-Z]{3,}\b|syscall|^\s+at /m);
    expect(ends.map(({ text }) => text)).toEqual([
      expect.stringMatching(refusal.pull) as string,
      expect.stringMatching(refusal.push) as string,
    ]);
    expect([ends[0]?.code, again.code]).not.toContain(0);
    expect(again.text).toMatch(refusal.pull);
    expect([read(CHANGED), await remote(CHANGED), await remote(DELETED)]).toEqual([before, '# theirs\n', undefined]);
    expect(await as('pull', '--yes')).toMatchObject({ code: 0 });
    expect([read(CHANGED), read(ADDED), existsSync(desk.at(DELETED))]).toEqual(['# theirs\n', '# added\n', false]);
    expect(hiddenFiles(desk)).toEqual([]);
  });

  it('replaces a file that is only itself read-only, as Git does, and keeps it read-only', async () => {
    const desk = await changedThere();
    chmodSync(desk.at(CHANGED), 0o444);
    expect(await desk.as('pull', '--yes')).toMatchObject({ code: 0 });
    expect(desk.read(CHANGED)).toBe('# theirs\n');
    expect(() => execFileSync('test', ['-w', desk.at(CHANGED)], { ...own, stdio: 'ignore' })).toThrow(/test/);
  });

  it.runIf(canMount())('says that the disk is full, brings what fits, and continues afterwards', async () => {
    const desk = await sitDown();
    const { as, platform, branch, at, read } = desk;
    mountSmallDisk(at('model'), 128);
    chmodSync(at('model'), 0o777);
    await changeBranch(platform, branch, { 'model/large.yml': `# ${'x'.repeat(200_000)}\n` });
    const { code, text } = await as('pull', '--yes');
    expect(code).toBe(1);
    expect(text).toMatch(/^model\/large\.yml: the disk is full\. Free some space and try again\.$/m);
    expect(text).not.toMatch(/\bE[A-Z]{3,}\b/);
    expect(hiddenFiles(desk)).toEqual([]);
    await changeBranch(platform, branch, { 'model/large.yml': null });
    expect((await as('pull', '--yes')).code).toBe(0);
    expect(read(CHANGED)).toBeDefined();
  });
});
