import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerType } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasUnixPrograms } from '#support/unix-programs.ts';
import { closeServer, listen } from '#platform/listen.ts';
import { demo } from '#platform/seed/names.ts';
import { yaml } from '#support/language/raw.ts';
import { linkProject } from '#support/linked-project.ts';
import { builtCommandLine } from '#support/packed-command-line.ts';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const cube = (name: string): string => yaml`
  cubes:
    - name: ${name}
      sql_table: ${name}
`;

/** Whether this machine lets a process have mounts of its own. */
const canMount = (() => {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.runIf(hasUnixPrograms('bash'))('the command line as a process', { tags: ['machine'] }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-surroundings-'));
  const project = join(folder, 'project');
  const state = join(folder, 'state');
  let program: string;
  beforeAll(async () => {
    program = join(await builtCommandLine(folder, ['cli', 'hash-worker']), 'cli.js');
    mkdirSync(join(project, 'model'), { recursive: true });
    writeFileSync(join(project, 'model/a.yml'), cube('a'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const environment = { PATH: process.env['PATH'] ?? '', XDG_STATE_HOME: state };

  /** Runs a line of a shell in which `modelbench` is the program, in the project. */
  function shell(line: string, variables: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const text = `modelbench() { '${process.execPath}' '${program}' "$@"; }; ${line}`;
    const options = { cwd: project, env: { ...environment, ...variables } };
    return new Promise((resolve) => {
      execFile('bash', ['--norc', '-c', text], options, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      );
    });
  }

  it('says in a line that the folder in which it was started was removed', async () => {
    for (const command of ['check', 'search a', 'status', 'mcp']) {
      const ended = await shell(`d=$(mktemp -d); cd "$d"; rmdir "$d"; modelbench ${command} </dev/null`);
      expect({ command, ...ended }).toEqual({
        ...{ command, code: 2, out: '' },
        err: 'modelbench: The current folder no longer exists. Change to another folder, then try again.\n',
      });
    }
  });

  it.each([
    { FORCE_COLOR: '3' },
    { NO_COLOR: '1' },
    { CLICOLOR_FORCE: '1', COLORTERM: 'truecolor', TERM: 'xterm-256color' },
  ])('writes no colours with %j', async (variables) => {
    // One process has these variables for all commands.
    const lines = ['--help', 'check', 'check --nope', 'read nothing', 'search a'];
    const each = `process.argv = ['node', 'modelbench', ...line.split(' ')]; start()`;
    const all = `const { start } = require('./built/cli-main.js'); for (const line of ${JSON.stringify(lines)}) { ${each}; }`;
    writeFileSync(join(folder, 'all.cjs'), all);
    const { out, err } = await shell(`'${process.execPath}' '${join(folder, 'all.cjs')}'`, variables);
    expect(out).toMatch(/^Usage: /m);
    expect(out).toMatch(/^No problems in 1 file\.$/m);
    expect(err).toContain('“check” has no option “--nope”.');
    expect(err).toContain('The data model has no “nothing”.');
    expect(out + err).not.toContain('\u001B');
  });

  describe.runIf(canMount)('where the disk is read-only', { tags: ['machine'] }, () => {
    const readOnly = (path: string, line: string): Promise<Ended> => {
      const run = `mount --bind '${path}' '${path}' && mount -o remount,bind,ro '${path}' && cd '${project}' && ${line}`;
      const text = run.replaceAll('modelbench ', `'${process.execPath}' '${program}' `);
      return shell(`unshare --mount sh -c ${JSON.stringify(text)}`);
    };

    it('checks and explains a project', async () => {
      for (const args of ['check', 'search a', 'read a', 'graph', 'impact a'])
        expect(await readOnly(project, `modelbench ${args}`)).toMatchObject({ code: 0, err: '' });
    });

    it('says which file cannot be written, and leaves nothing behind', async () => {
      const { code, out, err } = await readOnly(project, 'modelbench write model/a.yml --find sql_table --replace sql');
      expect({ code, out }).toEqual({ code: 3, out: '' });
      expect(err).toMatch(/^modelbench: “model\/a\.yml”: the disk is read-only\. Choose another folder\.\n$/);
      expect(readdirSync(join(project, 'model'))).toEqual(['a.yml']);
      expect(readFileSync(join(project, 'model/a.yml'), 'utf8')).toBe(cube('a'));
    });

    it('checks without a state folder, and says where the former version of a file cannot be kept', async () => {
      mkdirSync(state, { recursive: true });
      const write = 'modelbench write model/a.yml --find sql_table --replace sql';
      for (const isNew of [true, false]) {
        expect(await readOnly(state, 'modelbench check')).toMatchObject({ code: 0, err: '' });
        const { code, err } = await readOnly(state, write);
        expect({ isNew, code }).toEqual({ isNew, code: 3 });
        expect(err).toMatch(/^modelbench: “.*state.*” cannot be used: the file system is read-only\. .*\n$/);
        expect(readFileSync(join(project, 'model/a.yml'), 'utf8')).toBe(cube('a'));
        // Then the folder of the project has a trash, to which nothing can be added.
        await shell(`${write} && modelbench write model/a.yml --content '${cube('a')}'`);
        writeFileSync(join(project, 'model/a.yml'), cube('a'));
      }
    });
  });

  describe.runIf(canMount)('where the disk of the state folder is full', { tags: ['machine'] }, () => {
    it('names that folder, not the file that it would have changed', async () => {
      mkdirSync(state, { recursive: true });
      const write = `'${process.execPath}' '${program}' write model/a.yml`;
      // With and without the folders of a former change.
      for (const before of ['true', `${write} --find 'table: a' --replace 'table: a'`]) {
        const mounted = `mount -t tmpfs -o size=64k none '${state}' && cd '${project}' && { ${before}; } >/dev/null`;
        const full = `{ dd if=/dev/zero of='${state}/filling' bs=4096 2>/dev/null || true; }`;
        const text = `${mounted} && ${full} && ${write} --find sql_table --replace sql`;
        const { code, out, err } = await shell(`unshare --mount sh -c ${JSON.stringify(text)}`);
        expect({ code, out }).toEqual({ code: 3, out: '' });
        expect(err).toMatch(/^modelbench: .*“.*state.*”.*: the disk is full\. Free some space.*\n$/);
        expect(err).not.toContain('a.yml');
        expect(readFileSync(join(project, 'model/a.yml'), 'utf8')).toBe(cube('a'));
        expect(readdirSync(join(project, 'model'))).toEqual(['a.yml']);
      }
    });
  });

  describe('that is stopped by a signal', () => {
    const signals = [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const;

    /** Starts a program that is stopped as soon as the platform gets a request that matches. */
    async function stoppedAt(request: RegExp, signal: NodeJS.Signals, ...args: readonly string[]) {
      const linked = await linkProject();
      await linked.run('pull', '--yes');
      const servers: ServerType[] = [];
      const requests: string[] = [];
      let child: ChildProcess | undefined;
      const { url } = await listen(
        async (asked) => {
          const line = `${asked.method} ${new URL(asked.url).pathname}`;
          requests.push(line);
          const answer = await linked.platform.fetch(asked);
          if (request.test(line) && child?.killed === false) child.kill(signal);
          return answer;
        },
        0,
        servers,
      );
      onTestFinished(async () => {
        await Promise.all(servers.map(closeServer));
      });
      linked.write('modelbench.json', JSON.stringify({ tenant: url, deployment: String(demo.shop) }));
      const env = { ...environment, MODELBENCH_API_KEY: linked.platform.apiKey, MODELBENCH_TENANT_URL: url };
      const start = (...given: readonly string[]): Promise<Ended> =>
        new Promise((resolve) => {
          let [out, err] = ['', ''];
          child = spawn(process.execPath, [program, ...given], { cwd: linked.folder, env, stdio: 'pipe' });
          child.stdout?.on('data', (data: Buffer) => (out += data.toString()));
          child.stderr?.on('data', (data: Buffer) => (err += data.toString()));
          child.once('close', (code) => resolve({ code, out, err }));
        });
      const again = async (...given: readonly string[]): Promise<Ended> => {
        request = /^$/;
        return start(...given);
      };
      for (const name of ['one', 'two']) linked.write(`model/cubes/${name}.yml`, cube(name));
      return { ...linked, ended: await start(...args), again };
    }

    it.each(signals)(
      'ends with the usual code of %s, changes nothing, and leaves no lock and no file',
      async (signal, code) => {
        const {
          ended,
          again,
          remote,
          folder: own,
        } = await stoppedAt(/GET .*file-hashes|GET .*hashes/, signal, 'push', '--yes');
        expect(ended).toMatchObject({ code, out: '' });
        expect(ended.err).toBe('modelbench: Interrupted before anything was changed.\n');
        expect(await remote('model/cubes/one.yml')).toBeUndefined();
        expect(
          readdirSync(join(own, 'model/cubes')).filter((name) => name.startsWith('.') || /tmp|~/.test(name)),
        ).toEqual([]);
        expect(await again('push', '--yes')).toMatchObject({ code: 0, err: '' });
        expect(await remote('model/cubes/one.yml')).toBe(cube('one'));
        expect(unfinished(state)).toEqual([]);
      },
    );

    it('ends a service for agents without an error', async () => {
      const ended = await new Promise<Ended>((resolve) => {
        let [out, err] = ['', ''];
        const child = spawn(process.execPath, [program, 'mcp'], { cwd: project, env: environment, stdio: 'pipe' });
        child.stderr.on('data', (data: Buffer) => (err += data.toString()));
        child.stdout.on('data', (data: Buffer) => {
          out += data.toString();
          child.kill('SIGTERM');
        });
        child.once('close', (code) => resolve({ code, out: '', err }));
        const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
      });
      expect(ended).toEqual({ code: 0, out: '', err: '' });
    });
  });
});

/** Temporary files of the state folder that a stopped program left. */
function unfinished(state: string): readonly string[] {
  return readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tmp|\.part|unfinished/.test(name),
  );
}
