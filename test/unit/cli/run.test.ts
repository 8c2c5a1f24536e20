import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '#cli/run.ts';
import { places } from '#support/cli-places.ts';
import type { CliEnvironment } from '#cli/environment.ts';
import { filesIn, yaml } from '#support/language/raw.ts';
import { SHOP } from '#support/language/shop.ts';
import { openPlatform } from '#support/platform.ts';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

describe('the command line', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'modelbench-cli-'));
    for (const [path, text] of filesIn(SHOP)) {
      mkdirSync(dirname(join(folder, 'model', path)), { recursive: true });
      writeFileSync(join(folder, 'model', path), text);
    }
    mkdirSync(join(folder, 'broken'));
    writeFileSync(
      join(folder, 'broken/a.yml'),
      yaml`
        cubes:
          - {name: 1a, sql_table: t}
      `,
    );
    mkdirSync(join(folder, 'empty'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function run(
    args: readonly string[],
    isInteractive = false,
    signal?: AbortSignal,
    environment: Pick<CliEnvironment, 'variables' | 'fetch'> & Partial<Pick<CliEnvironment, 'state'>> = {
      variables: {},
    },
  ): Promise<Ended> {
    let [out, err] = ['', ''];
    const code = await runCommandLine(args, {
      folder,
      stdout: (text) => (out += text),
      stderr: (text) => (err += text),
      isInteractive,
      ...places(folder),
      signal: signal ?? new AbortController().signal,
      ...environment,
    });
    return { code, out, err };
  }

  it('answers with 0 where all is fine, and writes the answer only', async () => {
    expect(await run(['check'])).toEqual({ code: 0, out: 'No problems in 3 files.\n', err: '' });
  });

  it.each([
    ['that its configuration names', 'layer/a.yml', { 'cube.js': "module.exports = { schemaPath: 'layer' };\n" }],
    ['of a project below', 'packages/semantic/model/a.yml', { 'pnpm-workspace.yaml': 'packages: [packages/*]\n' }],
    ['behind a link inside of it', 'shared/a.yml', {}],
  ] as const)('reads only the model %s, of a repository that is linked whole', async (_, path, beside) => {
    const root = join(folder, 'repository');
    const text = 'cubes:\n  - name: a\n    sql_table: a\n    dimensions: []\n';
    const link = { tenant: 'https://t.example', deployment: '1', modelPath: path.startsWith('shared') ? 'model' : '.' };
    const files = { ...beside, [path]: text, 'modelbench.json': JSON.stringify(link), 'ci.yml': 'jobs: {}\n' };
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), content);
    }
    if (link.modelPath === 'model') symlinkSync('shared', join(root, 'model'));
    expect(await run(['check', '--folder', 'repository'])).toMatchObject({ code: 0, out: 'No problems in 1 file.\n' });
    rmSync(root, { recursive: true });
  });

  it('reads only the model folder of a project that is linked whole', async () => {
    mkdirSync(join(folder, 'whole/model'), { recursive: true });
    const link = { tenant: 'https://acme.example.com', deployment: '1', modelPath: '.' };
    writeFileSync(join(folder, 'whole/modelbench.json'), JSON.stringify(link));
    writeFileSync(join(folder, 'whole/docker-compose.yml'), 'services: {}\n');
    writeFileSync(
      join(folder, 'whole/model/a.yml'),
      yaml`
        cubes:
          - {name: a, sql_table: t}
      `,
    );
    expect(await run(['check', '--folder', 'whole'])).toMatchObject({ code: 0, out: 'No problems in 1 file.\n' });
  });

  it('answers with 1 where the model has mistakes', async () => {
    const { code, out } = await run(['check', '--folder', 'broken']);
    expect(code).toBe(1);
    expect(out).toContain('broken/a.yml:2:');
  });

  it.each([
    ['an unknown command', ['chek'], 'Did you mean “check”?'],
    ['an unknown option', ['check', '--stric'], 'Did you mean “--strict”?'],
    ['a value that is not a choice', ['check', '--format', 'xml'], 'one of text, json, sarif, github, gitlab'],
    ['a text for a number', ['check', '--limit', 'x'], '“limit” must be a whole number'],
    ['a number out of range', ['check', '--limit', '0'], '“limit” must be a whole number'],
    ['a missing argument', ['read'], '“name” is missing'],
    ['a name that does not exist', ['read', 'ordrs'], 'Did you mean “orders”?'],
    ['a folder that does not exist', ['check', '--folder', 'nowhere'], 'is not a folder'],
    ['a command of the platform without a key', ['status'], 'Set MODELBENCH_API_KEY'],
    ['a folder without a model', ['check', '--folder', 'empty'], 'There is no data model'],
  ])('answers with 2 for %s, and says on stderr what is wrong', async (_, args, says) => {
    const { code, out, err } = await run(args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(says);
  });

  it('shows the deployment of the folder, and answers with 3 where the platform refuses', async () => {
    const platform = await openPlatform();
    mkdirSync(join(folder, 'linked'), { recursive: true });
    const link = { tenant: 'https://platform.test/', deployment: 1 };
    writeFileSync(join(folder, 'linked/modelbench.json'), JSON.stringify(link));
    const runWith = (key: string): Promise<Ended> =>
      run(['status', '--folder', 'linked', '--format', 'json'], false, undefined, {
        variables: { MODELBENCH_API_KEY: key, MODELBENCH_TENANT_URL: 'platform.test' },
        fetch: (input, init) => platform.fetch(new Request(input, init)),
      });
    const { code, out } = await runWith(platform.apiKey);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ tenant: 'https://platform.test', production: { branch: 'main' } });
    const refused = await runWith('wrong-key');
    expect(refused).toMatchObject({ code: 3, out: '' });
    expect(refused.err).toContain('does not accept the key in MODELBENCH_API_KEY');
    expect(refused.err).not.toContain('wrong-key');
  });

  it.each(['configured', 'configured/model'])(
    'reports nothing about a right configuration of agents in %s',
    async (path) => {
      mkdirSync(join(folder, 'configured/model'), { recursive: true });
      mkdirSync(join(folder, 'configured/agents/rules'), { recursive: true });
      writeFileSync(
        join(folder, 'configured/model/a.yml'),
        yaml`
          cubes:
            - {name: a, sql_table: t}
        `,
      );
      writeFileSync(
        join(folder, 'configured/agents/config.yml'),
        yaml`
          spaces:
            - name: sales
              rules: [{name: brief, type: always, prompt: "{nope}"}]
        `,
      );
      writeFileSync(
        join(folder, 'configured/agents/rules/tone.md'),
        yaml`
          ---
          space: sales
          type: always
          ---
          Be brief.
        `,
      );
      expect(await run(['check', '--folder', path])).toMatchObject({ code: 0, out: 'No problems in 1 file.\n' });
    },
  );

  it.each([
    [['check', '--path', 'nothing'], 2, 'No file of the data model has “nothing” in its path'],
    [['check', '--limit', '0'], 2, '“limit” must be a whole number from 1 on, such as 1000, not the number 0.'],
    [['check', '--limit', '1.5'], 2, '“limit” must be a whole number from 1 on, such as 1000, not the number 1.5.'],
    [['query', '{}', '--limit', '10001'], 2, '“limit” must be a whole number from 1 to 10000, such as 100, not'],
    [['logs', '--since', 'yesterday'], 2, '“since” must be a moment, such as “2026-01-31T12:00:00Z”, not'],
    [['check', '--nope'], 2, 'Run “modelbench check --help” for its options and examples.'],
    [['read'], 2, 'Run “modelbench read --help” for its options and examples.'],
    [['nope'], 2, 'Run “modelbench help” for a list of commands.'],
  ])('says what is wrong with %j and what to do', async (args, code, message) => {
    const ended = await run(args);
    expect(ended).toMatchObject({ code, out: '' });
    expect(ended.err).toContain(message);
  });

  it('names a file that the system refuses, and what to do', async () => {
    const environment = { variables: {}, state: join(folder, 'model/cubes/orders.yml/state') };
    const write = ['write', 'model/cubes/orders.yml', '--find', 'orders', '--replace', 'x'];
    const { code, err } = await run(write, false, undefined, environment);
    expect(code).toBe(3);
    expect(err).toMatch(
      /^modelbench: “.*” cannot be used: something on the way to it is not a folder\. Choose another folder\.\n$/,
    );
  });

  it.runIf(process.platform === 'linux')('names a file whose name is not UTF-8', { tags: ['machine'] }, async () => {
    mkdirSync(join(folder, 'odd/model'), { recursive: true });
    writeFileSync(
      Buffer.concat([Buffer.from(join(folder, 'odd/model/caf')), Buffer.from([0xe9]), Buffer.from('.yml')]),
      'cubes: []\n',
    );
    const { code, err } = await run(['check', '--folder', 'odd']);
    expect(code).toBe(3);
    expect(err).toMatch(
      /^modelbench: “.*caf\u{fffd}\.yml” cannot be used: its name is not UTF-8\. Rename it, then try again\.\n$/u,
    );
  });

  it('writes JSON for scripts', async () => {
    const { out } = await run(['search', 'orders.count', '--format', 'json', '--kind', 'measure', '--limit', '1']);
    expect(JSON.parse(out)).toMatchObject({ matches: [{ name: 'orders.count', path: 'model/cubes/orders.yml' }] });
  });

  it('shows progress to a user who watches, and removes it', async () => {
    const { out, err } = await run(['check'], true);
    expect(out).toBe('No problems in 3 files.\n');
    expect(err).toContain('Checking 1 of 3 files');
    expect(err.endsWith('\r\u001B[K')).toBe(true);
  });

  it('ends when it is interrupted', async () => {
    expect(await run(['check'], false, AbortSignal.abort())).toMatchObject({ code: 2, out: '' });
  });

  it('lists every command with an example in its help', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    for (const name of ['check', 'search', 'read', 'graph']) expect(out).toContain(`modelbench ${name}`);
    const help = await run(['check', '--help']);
    expect(help.out).toContain('modelbench check --strict'.slice(0, 16));
    expect(help.out).toContain('Warnings fail the check as errors do.');
  });
});
