import { describe, expect, it } from 'vitest';
import { runCommandLine } from '#cli/run.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import { yaml } from '#support/language/raw.ts';

const names = ['a', 'b', 'c'];
const pathOf = (name: string): string => `model/cubes/${name}.yml`;
const cube = (name: string): string => yaml`
  cubes:
    - name: ${name}
      sql_table: ${name}
`;

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly requests: readonly string[];
}

/** Runs a command that its user interrupts at the request of a number, which the platform still gets. */
async function interrupted(
  { environment, platform }: LinkedProject,
  stopAt: number,
  ...args: string[]
): Promise<Ended> {
  const stop = new AbortController();
  const requests: string[] = [];
  let [out, err] = ['', ''];
  const code = await runCommandLine(args, {
    ...environment,
    signal: stop.signal,
    stdout: (text) => (out += text),
    stderr: (text) => (err += text),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      const copy = new Request(request.url, {
        ...{ method: request.method, headers: request.headers },
        ...(request.body ? { body: await request.arrayBuffer() } : {}),
      });
      if (requests.length === stopAt) stop.abort();
      const reply = await platform.fetch(copy);
      request.signal.throwIfAborted();
      return reply;
    },
  });
  return { code, out, err, requests };
}

function said({ code, out, err }: Ended): string {
  return `${code}: ${out}${err}`.trimEnd();
}

describe('an interrupted push', () => {
  it('is done whole or not at all, says which, and is finished by the next one', async () => {
    const project = await linkProject();
    await project.run('pull', '--yes');
    const ends = new Set<string>();
    for (let at = 1, isOver = false; !isOver; at++) {
      for (const name of names) project.write(pathOf(name), cube(`${name}_${at}`));
      const ended = await interrupted(project, at, 'push', '--yes');
      const there = await Promise.all(
        names.map(async (name) => (await project.remote(pathOf(name)))?.includes(`_${at}`)),
      );
      expect(new Set(there).size).toBe(1);
      isOver = ended.requests.length < at;
      ends.add(`${said(ended)} ${there[0] === true ? 'is' : 'is not'} there`);
      expect((await project.run('push', '--yes')).code).toBe(0);
      for (const name of names) expect(await project.remote(pathOf(name))).toBe(cube(`${name}_${at}`));
    }
    expect([...ends].sort()).toEqual([
      '0: Pushed 3 files. is there',
      '1: Pushed 0 files. Stopped before the outcome of 3 changes was known, so the platform may have made them. The next comparison shows whether it did. is there',
      '1: Pushed 0 files. Stopped; the remaining files are unchanged. is not there',
      '2: modelbench: Interrupted before anything was changed. is not there',
    ]);
  });
});

describe('an interrupted write', () => {
  it('says what it changed and how to undo it', async () => {
    const project = await linkProject();
    await project.run('pull', '--yes');
    const write = async (at: number): Promise<Ended> =>
      interrupted(project, at, 'write', pathOf('a'), '--content', cube('a'), '--push');
    expect(said(await write(1))).toBe('2: modelbench: Interrupted before anything was changed.');
    expect(project.read(pathOf('a'))).toBeUndefined();
    let ended = await write(2);
    for (let at = 3; ended.out === ''; at++) ended = await write(at);
    expect(ended).toMatchObject({ code: 1, err: '' });
    expect(ended.out).toContain('Added model/cubes/a.yml. Stopped before it was pushed.');
    const token = /modelbench undo (\S+)/.exec(ended.out)?.[1] ?? '';
    expect(project.read(pathOf('a'))).toBe(cube('a'));
    expect((await project.run('undo', token)).code).toBe(0);
    expect(project.read(pathOf('a'))).toBeUndefined();
  });
});

describe('two commands on one folder', () => {
  it('push the same files once, and neither takes the other’s work for a conflict', async () => {
    const project = await linkProject();
    await project.run('pull', '--yes');
    for (const name of names) project.write(pathOf(name), cube(name));
    const ended = await Promise.all([project.run('push', '--yes'), project.run('push', '--yes')]);
    for (const { out, err } of ended)
      expect(out + err).toMatch(
        /^Pushed \d files?\.|^The plan is out of date|^Another window or command syncs this folder/,
      );
    const after = await project.json('push', '--yes');
    expect(after).toMatchObject({ status: 'done', changes: [] });
    for (const name of names) expect(await project.remote(pathOf(name))).toBe(cube(name));
  });
});
