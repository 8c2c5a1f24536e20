import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '#cli/run.ts';
import { places } from '#support/cli-places.ts';

const cube = (name: string): string => `cubes:\n  - name: ${name}\n    sql_table: t\n`;
const script = (name: string): string => `cube(\`${name}\`, { sql_table: \`t\` });\n`;

describe('the files that a tool may write', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'modelbench-writable-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const at = (path: string): string => join(folder, 'project', path);
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  async function run(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
    let [out, err] = ['', ''];
    const code = await runCommandLine(args, {
      ...places(folder),
      folder: at(''),
      stdout: (text) => (out += text),
      stderr: (text) => (err += text),
      isInteractive: false,
      signal: new AbortController().signal,
      variables: {},
    });
    return { code, out, err };
  }

  it.each([
    'model/con.yml',
    'model/aux.x.yml',
    'model/a.txt:b.yml',
    'model/a\u{202e}b.yml',
    'model/a\u{200b}.yml',
    'model/cafe\u{301}.yml',
    'model/%2e%2e/a.yml',
    'model/sub./a.yml',
    'model/Node_Modules/a.js',
    'model/vscode~1/a.yml',
  ])('have no new name that is another one somewhere: %j', async (path) => {
    put('model/a.yml', cube('a'));
    const { code, err } = await run('write', path, '--content', cube('b'));
    expect([code, err]).toEqual([2, expect.stringContaining('was left as it is. The name ')]);
    expect(readdirSync(at('model'))).toEqual(['a.yml']);
  });

  describe('in a project whose model has no folder of its own', () => {
    const others = {
      'cube.js': 'module.exports = {};\n',
      'jest.config.js': '// cube(`x`)\n',
      'docker-compose.yml': 'services: {}\n',
    };
    beforeEach(() => {
      put('orders.yml', cube('orders'));
      put('cubes/users.js', script('users'));
      for (const [path, text] of Object.entries(others)) put(path, text);
    });

    it.each([[''], ['{"tenant":"https://t.example","deployment":"1","modelPath":""}']])(
      'are those of the model, linked or not: %j',
      async (link) => {
        if (link !== '') put('modelbench.json', link);
        for (const [path, text] of Object.entries(others)) {
          for (const change of [['--content', script('x')], ['--content', cube('x')], ['--remove']])
            expect((await run('write', path, ...change)).err).toContain('this file is not one');
          expect(readFileSync(at(path), 'utf8')).toBe(text);
        }
        for (const path of ['index.js', 'scripts/build.js', 'compose.yml'])
          expect(
            (await run('write', path, '--content', path.endsWith('.js') ? script('x') : 'services: {}\n')).code,
          ).toBe(2);
        for (const path of ['index.js', 'scripts', 'compose.yml']) expect(existsSync(at(path))).toBe(false);

        for (const [path, text] of [
          ['orders.yml', cube('orders2')],
          ['cubes/users.js', script('users2')],
          ['cubes/new.js', script('new')],
          ['more.yml', cube('more')],
          ['top.query.yml', 'query: {measures: [orders.count]}\n'],
        ] as const) {
          await run('write', path, '--content', text);
          expect(readFileSync(at(path), 'utf8')).toBe(text);
        }
      },
    );

    it('are those of the model with a byte order mark, too', async () => {
      for (const [path, text] of [
        ['orders.yml', cube('orders')],
        ['cubes/users.js', script('users')],
      ] as const) {
        put(path, `\u{feff}${text}`);
        expect((await run('write', path, '--content', `${text}\n`)).err).toBe('');
        expect(readFileSync(at(path), 'utf8')).toBe(`${text}\n`);
      }
    });

    it('are those of the model for a token, too, whoever made it', async () => {
      const written = await run('write', 'cubes/users.js', '--content', script('users2'), '--format', 'json');
      const { undo } = JSON.parse(written.out) as { readonly undo: string };
      const own = JSON.parse(Buffer.from(undo, 'base64url').toString()) as object;
      const now = createHash('sha1').update(others['cube.js']).digest('hex');
      for (const token of [
        { ...own, path: 'cube.js', now },
        { path: 'cube.js', now },
      ])
        expect((await run('undo', Buffer.from(JSON.stringify(token)).toString('base64url'))).code).toBe(2);
      expect(readFileSync(at('cube.js'), 'utf8')).toBe(others['cube.js']);
      expect((await run('undo', undo)).code).toBe(0);
      expect(readFileSync(at('cubes/users.js'), 'utf8')).toBe(script('users'));
    });
  });

  it('are those of the folder called model, although its only file has a byte order mark', async () => {
    put('model/a.yml', `\u{feff}${cube('a')}`);
    expect((await run('write', 'b.yml', '--content', cube('b'))).err).toContain('is not a file of the data model');
  });

  it('are those of the model’s folder where that is the project', async () => {
    put('model/a.js', script('a'));
    expect((await run('write', 'model/b.js', '--content', script('b'), '--folder', 'model')).err).toBe('');
    expect(readFileSync(at('model/b.js'), 'utf8')).toBe(script('b'));
  });
});
