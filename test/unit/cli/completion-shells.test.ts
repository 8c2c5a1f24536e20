import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasUnixPrograms } from '#support/unix-programs.ts';
import { builtCommandLine } from '#support/packed-command-line.ts';
import { missingFor, typingShell } from '#support/typing-shell.ts';
import { yaml } from '#support/language/raw.ts';

const hostileBranch = 'x$(touch${IFS}proof)';

describe.runIf(hasUnixPrograms('bash', 'script'))('completion in a real shell', { tags: ['machine'] }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-completion-'));
  const project = join(folder, 'project');
  let program: string;

  beforeAll(async () => {
    program = join(await builtCommandLine(folder, ['cli']), 'cli.js');
    mkdirSync(join(project, 'model'), { recursive: true });
    mkdirSync(join(project, 'my data'));
    writeFileSync(
      join(project, 'model/line items.yml'),
      yaml`
        cubes:
          - name: orders
            sql_table: t
            measures:
              - {name: count, type: count}
          - name: customers
            sql_table: t
      `,
    );
    writeFileSync(join(project, "model/o'brien $HOME.yml"), 'cubes: []\n');
    const git = (...args: readonly string[]): unknown => execFileSync('git', ['-C', project, ...args]);
    git('init', '--quiet', '--initial-branch', 'main');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '-m', 'a');
    git('branch', 'release/1');
    git('branch', hostileBranch);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  // Bash is on every machine that runs the tests; another shell that is not there is named with the reason.
  const shells = (['bash', 'zsh', 'fish'] as const).filter((shell) => {
    const missing = shell === 'bash' ? undefined : missingFor(shell);
    if (missing !== undefined) console.log(`not tried in ${shell}: ${missing}`);
    return missing === undefined;
  });

  describe.each(shells)('%s', (shell) => {
    it('completes commands, options, values, names, files and revisions as they are', async () => {
      const user = await typingShell(shell, program, project);
      const completed: Record<string, readonly string[]> = {};
      const all = {
        'chec\t': ['check'],
        'check --sev\twarn\t': ['check', '--severity', 'warning'],
        'check --severity=inf\t': ['check', '--severity=information'],
        'read ord\t': ['read', 'orders'],
        'read orders.co\t': ['read', 'orders.count'],
        'read -- cust\t': ['read', '--', 'customers'],
        'check --path model/li\t': ['check', '--path', 'model/line items.yml'],
        'check --path "model/li\t': ['check', '--path', 'model/line items.yml'],
        "check --path 'model/li\t": ['check', '--path', 'model/line items.yml'],
        'check --path=model/li\t': ['check', '--path=model/line items.yml'],
        'check --path model/o\t': ['check', '--path', "model/o'brien $HOME.yml"],
        'diff rele\t': ['diff', 'release/1'],
        'check --since rele\t --strict': ['check', '--since', 'release/1', '--strict'],
        'diff x\t': ['diff', hostileBranch],
        // Zsh removes the slash again where nothing follows.
        'check --folder my\t': ['check', '--folder', shell === 'zsh' ? 'my data' : 'my data/'],
        'help vali\t': ['help', 'validate'],
        'logs --container service\t': ['logs', '--container', 'service-server'],
      };
      for (const keys of Object.keys(all)) completed[keys] = await user.argumentsOf(keys);
      expect(completed).toEqual(all);
      expect(existsSync(join(project, 'proof'))).toBe(false);
    });

    it('lists what can follow, and runs nothing of what is typed', async () => {
      const user = await typingShell(shell, program, project);
      const open = shell === 'fish' ? '(touch proof)' : '$(touch proof)';
      await user.shows('read \t\t', ['customers', 'orders']);
      await user.shows(`search ${open} --fo\t\t`, ['--folder', '--format']);
      await user.shows(`search "${open}" --fo\t\t`, ['--folder', '--format']);
      expect(await user.argumentsOf('check --str\t')).toEqual(['check', '--strict']);
      expect(existsSync(join(project, 'proof'))).toBe(false);
    });
  });
});
