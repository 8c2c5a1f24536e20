import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '#cli/run.ts';
import { places } from '#support/cli-places.ts';
import { yaml } from '#support/language/raw.ts';

const cube = yaml`
  cubes:
    - name: a
      sql_table: t
      measures:
        - {name: m, type: count}
`;

describe('write and undo', () => {
  let folder: string;
  let at: (path: string) => string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'modelbench-write-'));
    at = (path) => join(folder, 'project', path);
    mkdirSync(at('model'), { recursive: true });
    writeFileSync(at('model/a.yml'), cube);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function run(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
    let [out, err] = ['', ''];
    const code = await runCommandLine(args, {
      ...places(folder),
      folder: join(folder, 'project'),
      stdout: (text) => (out += text),
      stderr: (text) => (err += text),
      isInteractive: false,
      signal: new AbortController().signal,
      variables: {},
    });
    return { code, out, err };
  }

  async function written(...args: readonly string[]): Promise<Record<string, unknown>> {
    return JSON.parse((await run('write', ...args, '--format', 'json')).out) as Record<string, unknown>;
  }

  it('replace one text, without a network, and answer with what is wrong then', async () => {
    const ended = await run('write', 'model/a.yml', '--find', 'type: count', '--replace', 'type: cout');
    expect(ended.code).toBe(1);
    expect(ended.out).toMatch(
      /^(?:model\/a\.yml:5:\d+: error: .*\n)+Changed model\/a\.yml\.\nUndo with: modelbench undo \S+\n$/,
    );
    const token = /undo (\S+)/.exec(ended.out)?.[1] ?? '';
    expect(await run('undo', token)).toMatchObject({ code: 0, out: 'model/a.yml is as it was.\n' });
    expect(readFileSync(at('model/a.yml'), 'utf8')).toBe(cube);
    expect(readdirSync(at('model'))).toEqual(['a.yml']);
  });

  it('take a path in whatever way it is spelled, and answer with the usual one', async () => {
    for (const [spelled, type] of [
      ['./model/a.yml', 'sum'],
      [at('model/a.yml'), 'max'],
      ['model/cubes/../a.yml', 'min'],
    ] as const) {
      const text = cube.replace('count', type);
      expect(await written(spelled, '--content', text)).toMatchObject({ path: 'model/a.yml' });
      expect(readFileSync(at('model/a.yml'), 'utf8')).toBe(text);
    }
  });

  it('make and remove files, and take both back', async () => {
    const added = await written('model/cubes/b.yml', '--content', cube.replace('name: a', 'name: b'));
    expect(added).toMatchObject({ change: 'add', passed: true, pushed: 'no' });
    const removed = await written('model/cubes/b.yml', '--remove');
    expect(removed).toMatchObject({ change: 'delete', passed: true });
    expect(existsSync(at('model/cubes/b.yml'))).toBe(false);
    await run('undo', String(removed['undo']));
    expect(readFileSync(at('model/cubes/b.yml'), 'utf8')).toContain('name: b');
    await run('undo', String(added['undo']));
    expect(existsSync(at('model/cubes/b.yml'))).toBe(false);
  });

  it('change nothing where the file could not be pushed', async () => {
    const refused = await run('write', 'model/a.yml', '--find', 'type: count', '--replace', 'type: max', '--push');
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(readFileSync(at('model/a.yml'), 'utf8')).toBe(cube);
  });

  it('leave a file alone that was changed since', async () => {
    const { undo } = await written('model/a.yml', '--find', 'type: count', '--replace', 'type: sum');
    writeFileSync(at('model/a.yml'), `${cube}# mine\n`);
    const refused = await run('undo', String(undo));
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('was changed by someone else');
    expect(readFileSync(at('model/a.yml'), 'utf8')).toBe(`${cube}# mine\n`);
  });

  it('keep every byte that they do not replace, and refuse a file that is not UTF-8', async () => {
    const edit = ['model/a.yml', '--find', 'type: count', '--replace', 'type: sum'] as const;
    writeFileSync(at('model/a.yml'), `\u{feff}${cube}`);
    await written(...edit);
    expect(readFileSync(at('model/a.yml'), 'utf8')).toBe(`\u{feff}${cube.replace('type: count', 'type: sum')}`);
    const latin = Buffer.from(`# Gr\u{f6}\u{df}e\n${cube}`, 'latin1');
    writeFileSync(at('model/a.yml'), latin);
    const refused = await run('write', ...edit);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('is not UTF-8 text');
    expect(readFileSync(at('model/a.yml'))).toEqual(latin);
  });

  it.each([
    [['model/a.yml', '--find', 'nowhere', '--replace', 'x'], 'nowhere'],
    [['model/a.yml', '--find', 'name', '--replace', 'x'], '2 times'],
    [['model/a.yml', '--find', 'name'], 'Give either'],
    [['model/a.yml', '--content', 'x', '--remove'], 'Give either'],
    [['model/none.yml', '--remove'], 'There is no file'],
    [['model/../a.yml', '--content', 'x'], 'is not a file of the data model'],
    [['../a.yml', '--content', 'x'], 'is not a file of the data model'],
    [['model/.git/a.yml', '--content', 'x'], 'is not a file of the data model'],
    [['model/a.sh', '--content', 'x'], 'is not a file of the data model'],
    [['package.json', '--content', 'x'], 'is not a file of the data model'],
    [['model/linked/a.yml', '--content', 'x'], 'link'],
  ])('refuse %j and change nothing', async (args, says) => {
    mkdirSync(join(folder, 'outside'));
    symlinkSync(join(folder, 'outside'), at('model/linked'));
    const ended = await run('write', ...args);
    expect(ended.code).not.toBe(0);
    expect(ended.out).toBe('');
    expect(ended.err).toContain(says);
    expect(readFileSync(at('model/a.yml'), 'utf8')).toBe(cube);
    expect([readdirSync(join(folder, 'outside')), existsSync(at('a.yml')), existsSync(join(folder, 'a.yml'))]).toEqual([
      [],
      false,
      false,
    ]);
  });

  it.each([
    'x',
    Buffer.from('{"path":"../../etc/passwd"}').toString('base64url'),
    Buffer.from('{"path":"a.yml","kept":"../../../secret"}').toString('base64url'),
    Buffer.from('{"path":"a.yml","kept":"abc-def"}').toString('base64url'),
  ])('refuse a token that “write” did not make: %s', async (token) => {
    expect(await run('undo', token)).toMatchObject({ code: 2, out: '' });
    expect(readFileSync(at('model/a.yml'), 'utf8')).toBe(cube);
  });
});
