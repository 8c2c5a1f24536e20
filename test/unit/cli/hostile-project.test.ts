import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '#cli/run.ts';
import { places } from '#support/cli-places.ts';
import { jinja, yaml } from '#support/language/raw.ts';
import { tools } from '#tools/tools.ts';

describe('the command line in a project that is not trusted', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'modelbench-hostile-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };

  const variables = { MODELBENCH_API_KEY: 'secret-key', MODELBENCH_TENANT_URL: 'https://own.example' };
  const sent: unknown[] = [];

  async function run(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = variables,
  ): Promise<{ code: number; out: string; err: string }> {
    let [out, err] = ['', ''];
    const code = await runCommandLine(args, {
      folder: join(folder, 'project'),
      stdout: (text) => (out += text),
      stderr: (text) => (err += text),
      isInteractive: false,
      ...places(folder),
      signal: new AbortController().signal,
      variables: environment,
      fetch: (input) => {
        sent.push(input);
        return Promise.reject(new Error('Nothing may be sent.'));
      },
    });
    return { code, out, err };
  }

  it('runs no script, template, setting or hook of it', async () => {
    const proof = join(folder, 'was-run');
    const attack = `require('fs').writeFileSync(${JSON.stringify(proof)}, '')`;
    write(
      'project/model/a.js',
      `${attack};\ncube('a', { sql_table: \`\${${attack}}\`, measures: { m: { type: 'count' } } });\n`,
    );
    write(
      'project/model/b.yml.jinja',
      jinja`
        {% set x = ''.__class__ %}
        cubes:
          - {name: b, sql_table: "{{ env_var('HOME') }}"}
      `,
    );
    write('project/model/globals.py', `open(${JSON.stringify(proof)}, 'w')\n`);
    write('project/package.json', JSON.stringify({ scripts: { preinstall: 'touch ../was-run' } }));
    write('project/cube.js', attack);
    write('project/.modelbenchrc.js', attack);
    for (const args of [['check'], ['search', ''], ['read', 'a'], ['graph'], ['graph', 'a.m']]) await run(args);
    expect(existsSync(proof)).toBe(false);
    expect((await run(['search', 'a.m'])).out).toContain('a.m (measure count)');
  });

  it('sends the key of another tenant nowhere, whatever its files say', async () => {
    for (const tenant of [
      'https://evil.example',
      'https://own.example@evil.example',
      'https://own.example.evil.example',
    ]) {
      write('project/modelbench.json', JSON.stringify({ tenant, deployment: '1' }));
      write('project/.env', 'MODELBENCH_TENANT_URL=https://evil.example\n');
      for (const command of ['status', 'branches', 'builds', 'validate']) {
        const { code, out, err } = await run([command, '--deployment', '1']);
        expect({ code, out }).toEqual({ code: 2, out: '' });
        expect(err).toContain('Nothing was sent');
        expect(err).not.toContain('secret-key');
      }
    }
    expect(sent).toEqual([]);
  });

  it('reads nothing outside of it by a link', async () => {
    write(
      'secret/s.yml',
      yaml`
        cubes:
          - {name: secret, sql_table: t}
      `,
    );
    write(
      'project/model/a.yml',
      yaml`
        cubes:
          - {name: a, sql_table: t}
      `,
    );
    symlinkSync(join(folder, 'secret'), join(folder, 'project/model/linked'));
    symlinkSync(join(folder, 'secret/s.yml'), join(folder, 'project/model/s.yml'));
    expect((await run(['search', ''])).out.split('\n').filter((line) => line !== '')).toHaveLength(1);
    write('linked/modelbench.json', '{"tenant":"https://t.example","deployment":"1","modelPath":"model"}');
    symlinkSync(join(folder, 'secret'), join(folder, 'linked/model'));
    const { code, err } = await run(['search', '', '--folder', '../linked']);
    expect(code).toBe(2);
    expect(err).toContain('leads out of the folder through a symbolic link');
    write('linked/modelbench.json', '{"tenant":"https://t.example","deployment":"1","modelPath":"../secret"}');
    expect((await run(['search', '', '--folder', '../linked'])).code).toBe(2);
  });

  it('gives the log of a pipeline no commands', async () => {
    write(
      'project/model/a.yml',
      yaml`
        cubes:
          - name: a
            sql: >
              SELECT 1

              ::add-mask::x
                ::error::forged
              ##vso[task.setvariable variable=x]y
              ##[error]forged
            measures:
              - {name: m, type: cuont, description: "x\n::error::forged"}
      `,
    );
    const commands = /^\s*::(?!error file=model)|##(?:\[|vso\[)/m;
    const calls = [
      ['read', 'a'],
      ['check'],
      ['search', ''],
      ['check', '--format', 'github'],
      ['read', 'x\n::error::y'],
    ];
    for (const log of [{ GITHUB_ACTIONS: 'true' }, { TF_BUILD: 'True' }])
      for (const args of calls) {
        const { out, err } = await run(args, { ...variables, ...log });
        expect(out + err).not.toBe('');
        expect(out + err).not.toMatch(commands);
      }
    // Elsewhere a text is shown as it is.
    expect((await run(['read', 'a'])).out).toContain('::add-mask::x');
  });

  describe('in every format of every tool that reads it', () => {
    const marks = ['##vso[task.complete]', '##[group]', "##teamcity[buildStop comment='x']", '%0A::error::x'];
    const hostile = `x ${marks.join(' ')} \u{9b}2J\u{1b}[0Ksection_start:1:a\r\u{1b}[0K\u{202e}\n::error::x\n::stop-commands::y`;
    const formats = tools
      .filter(({ reach, risk }) => reach === 'folder' && risk === 'read')
      .flatMap(({ name, formats: all }) => all.map((format) => [name, format] as const));
    const services = {
      GitHub: { GITHUB_ACTIONS: 'true' },
      Azure: { TF_BUILD: 'True' },
      TeamCity: { TEAMCITY_VERSION: '2026.1' },
      'any other': { CI: 'true' },
    };

    it.each(formats)('has no command for any service: %s as %s', async (name, format) => {
      const text = JSON.stringify(hostile);
      const model = (cube: string): string =>
        `cubes:\n  - name: ${cube}\n    sql_table: t\n    title: ${text}\n    description: ${text}\n    measures: [{name: m, type: ${text}}]\n  - name: b\n    sql_table: t\n    description: ${text}\n    measures: [{name: m, type: number, sql: ${JSON.stringify(`{${hostile}} + {b.n}`)}}]\n`;
      write('project/model/a.yml', model(JSON.stringify(`old ${hostile}`)));
      const git = (...args: readonly string[]): unknown =>
        execFileSync('git', ['-C', join(folder, 'project'), ...args]);
      git('init', '--quiet');
      git('add', '.');
      git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'a');
      write('project/model/a.yml', model(text));
      const values: Readonly<Record<string, readonly string[]>> = {
        search: [''],
        read: ['b'],
        impact: ['b'],
        check: ['--severity', 'hint'],
        diff: [],
      };
      for (const service of Object.values(services)) {
        const { out, err } = await run([name, ...(values[name] ?? []), '--format', format], {
          ...variables,
          ...service,
        });
        expect(out).not.toBe('');
        expect(out + err).not.toMatch(
          /^\s*::(?!(?:error|warning|notice) file=project\/model|(?:error|warning|notice) file=model)|##(?:\[|vso\[|teamcity\[)/m,
        );
        expect(out + err).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--[\t\n]]/v);
        if (!['json', 'sarif', 'gitlab'].includes(format)) continue;
        const parsed: unknown = JSON.parse(out);
        // The values are those of the model.
        expect(name === 'search' || name === 'read' ? JSON.stringify(parsed).includes('##vso[') : true).toBe(true);
      }
    });
  });

  it('repeats no command of an argument in an error', async () => {
    const { err } = await run(['check', '--x\n::error::y ##vso[task.complete]'], { ...variables, CI: 'true' });
    expect(err).toContain('has no option');
    expect(err).not.toMatch(/^\s*::|##vso/m);
  });

  it('gives a terminal no control characters', async () => {
    write(
      'project/model/a.yml',
      yaml`
        cubes:
          - name: "a\e]0;title\a"
            sql_table: t
            description: "\e[2J \u202e\u2066"
      `,
    );
    for (const args of [['check'], ['search', ''], ['check', '--format', 'github'], ['read', '\u001B[2J']]) {
      const { out, err } = await run(args);
      expect(out + err).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--[\t\n]]/v);
    }
  });
});
