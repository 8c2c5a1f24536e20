import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasUnixPrograms } from '#support/unix-programs.ts';
import { parse } from 'yaml';
import { type CommentApi, startCommentApi } from '#support/comment-api.ts';
import { builtCommandLine } from '#support/packed-command-line.ts';
import { indented, yaml } from '#support/language/raw.ts';
import { packAction } from '../../tools/action-package.ts';
import { packCommandLine } from '../../tools/cli-package.ts';
import { root } from '../../tools/run.ts';

/** As the repository has it: without its program. */
const source = join(root, '.github/actions/check');

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly shell: string;
      readonly run: string;
      readonly env: Readonly<Record<string, string>>;
    }[];
  };
}

/** What a runner has otherwise. */
interface Runner {
  readonly project?: string;
  readonly event?: object;
  /** Whether the checkout has the whole history. */
  readonly isWhole?: boolean;
  readonly runner?: Readonly<Record<string, string>>;
}

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly summary: string;
  readonly outputs: string;
}

const cube = (measures: string): string =>
  `cubes:\n  - name: orders\n    sql_table: orders\n    joins:\n      - {name: users, relationship: many_to_one, sql: "{CUBE.missing} = {users.id}"}\n    dimensions:\n      - {name: id, sql: id, type: number, primary_key: true}\n    measures:\n${measures}` +
  indented(
    2,
    yaml`
      - name: users
        sql_table: users
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
    `,
  );
const count = '      - {name: count, type: count}\n';
const total = '      - {name: total, type: sum, sql: amount}\n';

describe.runIf(hasUnixPrograms('bash'))('the action for pull requests', { tags: ['machine'] }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-action-'));
  /** The repository that runners clone, in which its author works. */
  const author = join(folder, 'author');
  /** As the tag of a release has it. */
  const released = join(folder, 'released');
  let archive: string;
  let base: string;
  let api: CommentApi;
  let checkouts = 0;

  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (cwd: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd,
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();

  beforeAll(async () => {
    const dist = await builtCommandLine(folder);
    packAction(released, dist);
    archive = await packCommandLine(folder, dist);
    git(folder, 'init', '--quiet', '--initial-branch', 'main', author);
    base = commit('main', cube(count + total));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    api = await startCommentApi('acme/shop', 7, 'good-token');
  });
  afterEach(async () => {
    git(author, 'checkout', '--quiet', '--force', 'main');
    await api.close();
  });

  /** Commits a model on a branch; answers with the commit. */
  function commit(branch: string, model: string): string {
    git(author, 'checkout', '--quiet', '-B', branch);
    mkdirSync(join(author, 'model'), { recursive: true });
    writeFileSync(join(author, 'model/orders.yml'), model);
    git(author, 'add', '--all');
    git(author, 'commit', '--quiet', '--allow-empty', '--message', branch);
    return git(author, 'rev-parse', 'HEAD');
  }

  /** Runs the steps of the action as a runner does, on a shallow checkout of a branch. */
  async function run(
    branch: string,
    inputs: Readonly<Record<string, string>> = {},
    action = released,
    other: Runner = {},
  ): Promise<Ended> {
    checkouts += 1;
    const own = join(folder, `run-${checkouts}`);
    const project = join(own, other.project ?? 'project');
    mkdirSync(own);
    const depth = other.isWhole === true ? [] : ['--depth', '1'];
    git(folder, 'clone', '--quiet', ...depth, '--branch', branch, `file://${author}`, project);
    writeFileSync(join(own, 'event.json'), JSON.stringify(other.event ?? { pull_request: { number: 7 } }));
    for (const name of ['summary', 'outputs']) writeFileSync(join(own, name), '');
    const { inputs: declared, runs } = parse(readFileSync(join(action, 'action.yml'), 'utf8')) as Action;
    const given = { base, token: 'good-token', ...inputs };
    const value = (name: string): string =>
      (given as Readonly<Record<string, string>>)[name] ?? declared[name]?.default ?? `no input ${name}`;
    let [code, out] = [0, ''];
    for (const step of runs.steps) {
      expect(step.shell).toBe('bash');
      // Nothing of a pull request is ever a piece of a script.
      expect(step.run).not.toContain('${{');
      const variables = Object.entries(step.env).map(([name, text]) => [
        name,
        text.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => value(input)),
      ]);
      const runner = {
        GITHUB_ACTION_PATH: action,
        GITHUB_API_URL: api.url,
        GITHUB_EVENT_PATH: join(own, 'event.json'),
        GITHUB_OUTPUT: join(own, 'outputs'),
        GITHUB_REPOSITORY: 'acme/shop',
        GITHUB_STEP_SUMMARY: join(own, 'summary'),
        RUNNER_TEMP: own,
        ...other.runner,
      };
      const all = {
        ...env,
        PATH: `${dirname(process.execPath)}:${env.PATH}`,
        ...runner,
        ...(Object.fromEntries(variables) as Readonly<Record<string, string>>),
      };
      const ended = await new Promise<{ code: number; out: string }>((resolve) => {
        execFile('bash', ['-e', '-c', step.run], { cwd: project, env: all }, (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, out: `${stdout}${stderr}` }),
        );
      });
      code ||= ended.code;
      out += ended.out;
    }
    const read = (name: string): string => readFileSync(join(own, name), 'utf8');
    expect(git(project, 'status', '--porcelain')).toBe('');
    return { code, out, summary: read('summary'), outputs: read('outputs') };
  }

  it('annotates changed lines and keeps one comment with what the change means', async () => {
    commit(
      'feature',
      cube(
        indented(
          6,
          yaml`
            - {name: count, type: count}
            - {name: average, type: number, sql: "{nope} / {count}"}
          `,
        ),
      ),
    );
    api.comments.push(
      { id: 1, body: 'Nice!', user: { login: 'ada', type: 'User' } },
      { id: 2, body: '<!-- modelbench -->\nForged', user: { login: 'eve', type: 'User' } },
    );
    const broken = await run('feature');
    expect(broken).toMatchObject({ code: 1, outputs: 'passed=false\n' });
    expect(broken.out).toMatch(/^::error file=model\/orders\.yml,line=10,.*unknown-reference/m);
    // The warning about the join was there before.
    expect(broken.out).not.toContain('::warning');
    expect(api.comments).toHaveLength(3);
    const [, forged, own] = api.comments;
    expect(forged?.body).toContain('Forged');
    expect(own?.body).toContain('orders.total');
    expect(own?.body).toContain('**Can break queries**');
    expect(broken.summary.trim()).toBe(own?.body.split('\n').slice(1).join('\n').trim());

    commit('feature', cube(count + total + '      - {name: largest, type: max, sql: amount}\n'));
    const fixed = await run('feature', { strict: 'true' });
    expect(fixed).toMatchObject({ code: 0, outputs: 'passed=true\n' });
    expect(api.comments).toHaveLength(3);
    expect(own?.body).toContain('orders.largest');
    expect(own?.body).not.toContain('Can break queries');
    expect(api.requests.at(-1)).toBe('PATCH /repos/acme/shop/issues/comments/102');
  });

  it('runs an archive of exactly the digest that is named, and without a program nothing', async () => {
    commit('archive', cube(count + total));
    const digest = createHash('sha256').update(readFileSync(archive)).digest('hex');
    expect(await run('archive', { package: archive, digest }, source)).toMatchObject({ code: 0 });
    for (const wrong of ['', '0'.repeat(64), digest.slice(0, 40)]) {
      const refused = await run('archive', { package: archive, digest: wrong }, source);
      expect(refused).toMatchObject({ code: 1, outputs: '', summary: '' });
      expect(refused.out).toContain('was not run');
    }
    const bare = await run('archive', {}, source);
    expect(bare).toMatchObject({ code: 1, outputs: '' });
    expect(bare.out).toContain('has no program');
  });

  it('needs no package manager and no address but that of the comments', () => {
    for (const name of readdirSync(source)) {
      const text = readFileSync(join(source, name), 'utf8');
      expect(text).not.toMatch(/\bnpm\b|\bnpx\b|\bcurl\b/);
      expect(text.match(/https?:\/\/[^'"\s]+/g) ?? []).toEqual(
        name === 'comment.mjs' ? ['https://api.github.com'] : [],
      );
    }
  });

  it('compares with the commit before it where a push has no base', async () => {
    commit('pushed', cube(count + total));
    commit('pushed', cube(count));
    const ended = await run('pushed', { base: '0'.repeat(40), strict: 'true' });
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.summary).toContain('orders.total');
  });

  it('compares a force-pushed branch with the commit before it where the former one is gone', async () => {
    commit('forced', cube(count + total));
    commit('forced', cube(count));
    const gone = '1234567890123456789012345678901234567890';
    const ended = await run('forced', { base: gone, strict: 'true' }, released, { event: { before: gone } });
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.out).toContain('::notice title=Modelbench::The commit before the push is gone');
    expect(ended.summary).toContain('orders.total');
    // The base of a pull request cannot be replaced by another commit.
    const other = await run('forced', { base: gone });
    expect(other.code).toBe(1);
    expect(other.summary).not.toContain('Data model compared');
  });

  it('checks the whole model where no commit is before it', async () => {
    git(author, 'checkout', '--quiet', '--orphan', 'unborn');
    commit('first', cube(count.replace('count}', 'cuont}')));
    const ended = await run('first', { base: '0'.repeat(40) });
    expect(ended.code).toBe(1);
    expect(ended.out).toMatch(/^::error file=model\/orders\.yml,line=\d+/m);
    expect(ended.summary).toContain('There is no commit before this one');
  });

  it('leaves out what others merged since the pull request was opened', async () => {
    const add = (branch: string, name: string): string => {
      git(author, 'checkout', '--quiet', branch);
      writeFileSync(join(author, `model/${name}.yml`), `cubes: [{name: ${name}, sql_table: t}]\n`);
      return commit(branch, cube(count + total));
    };
    const opened = commit('moved', cube(count + total));
    commit('own', cube(count + total));
    const head = add('own', 'mine');
    const now = add('moved', 'theirs');
    git(author, 'checkout', '--quiet', '-B', 'merged', 'moved');
    git(author, 'merge', '--quiet', '--no-ff', '--message', 'Merge', 'own');
    for (const { branch, base: sha, isWhole } of [
      // The checkout of a pull request: its head, merged into the base of now.
      { branch: 'merged', base: opened, isWhole: false },
      // A checkout of the head alone, which does not have what the base has by now.
      { branch: 'own', base: now, isWhole: true },
    ]) {
      const event = { pull_request: { number: 7, base: { sha }, head: { sha: head } } };
      const { code, out, summary } = await run(branch, { base: sha }, released, { event, isWhole });
      expect({ branch, code }).toEqual({ branch, code: 0 });
      expect(summary).toContain('added cube mine');
      expect(out + summary).not.toContain('theirs');
    }
  });

  it('annotates a project of a monorepo by its paths, and knows deleted and renamed files', async () => {
    const shop = (path: string): string => join(author, 'packages/shop/model', path);
    const named = (name: string): string =>
      cube(count).replace('name: orders', `name: ${name}`).replaceAll('users', `${name}_users`);
    commit('mono', cube(count + total));
    mkdirSync(join(author, 'packages/shop/model'), { recursive: true });
    writeFileSync(shop('kept.yml'), named('kept'));
    writeFileSync(shop('gone.yml'), named('gone'));
    const before = commit('mono', cube(count + total));
    git(author, 'mv', shop('kept.yml'), shop('renamed.yml'));
    git(author, 'rm', '--quiet', shop('gone.yml'));
    writeFileSync(shop('wrong.yml'), named('wrong').replace('type: count', 'type: cuont'));
    commit('mono', cube(count + total));
    const ended = await run('mono', { base: before, folder: 'packages/shop' });
    expect(ended.code).toBe(1);
    expect(ended.out).toMatch(/^::error file=packages\/shop\/model\/wrong\.yml,line=\d+/m);
    // A renamed file has no new lines.
    expect(ended.out).not.toContain('renamed.yml');
    expect(ended.summary).toContain('`removed cube gone`');
    expect(ended.summary).toContain('`added cube wrong`');
    expect(ended.summary).not.toContain('kept');
  });

  it('fails on what queries lose only when it is strict', async () => {
    commit('loss', cube(count));
    expect((await run('loss')).code).toBe(0);
    expect((await run('loss', { strict: 'true' })).code).toBe(1);
  });

  it('passes without a comment where there is no pull request, and where nothing of the model changes', async () => {
    commit('same', cube(count + total));
    expect(await run('same', {}, released, { event: {} })).toMatchObject({ code: 0, outputs: 'passed=true\n' });
    expect(api.requests).toEqual([]);
    const ended = await run('same');
    expect(ended.code).toBe(0);
    expect(api.comments[0]?.body).toContain('Nothing changes for queries');
  });

  it('cuts a comment that GitHub would refuse, at the end of a line', async () => {
    const many = Array.from(
      { length: 1100 },
      (_, at) => `      - {name: "m${at}_${'😀'.repeat(20)}", type: cuont}\n`,
    ).join('');
    commit('large', cube(many));
    const ended = await run('large');
    expect(ended.code).toBe(1);
    expect(ended.out).not.toContain('was not written');
    expect(ended.out.match(/^::error /gm)?.length).toBeGreaterThanOrEqual(1000);
    const body = api.comments[0]?.body ?? '';
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body).toMatch(/This comment was cut off\. The summary of the run has more of it\.$/);
    expect(body.isWellFormed()).toBe(true);
    // Whole lines only: half a name would not be code any more.
    const [shown = ''] = body.split('\n').slice(1).join('\n').split('\n\nThis comment was cut off.');
    expect(ended.summary.startsWith(`${shown}\n`)).toBe(true);
  });

  it('works with spaces in every path and with variables as Windows has them', async () => {
    commit('spaces', cube(count + total));
    const spaced = join(folder, 'an action');
    cpSync(released, spaced, { recursive: true });
    const ended = await run('spaces', { folder: '.' }, spaced, {
      project: 'a project',
      runner: { RUNNER_OS: 'Windows', RUNNER_TEMP: join(folder, 'no such folder') },
    });
    expect(ended).toMatchObject({ code: 0, outputs: 'passed=true\n' });
  });

  it('passes with a warning where the token may not write, as in forks', async () => {
    commit('fork', cube(count + total));
    const ended = await run('fork', { token: 'read-only' });
    expect(ended.code).toBe(0);
    expect(ended.out).toContain('::warning title=Modelbench::The comment was not written.');
    expect(ended.summary).toContain('Data model compared with');
    expect(ended.out).not.toContain('read-only');
  });

  it('shows errors without obeying what they quote', async () => {
    commit('hostile-error', cube(count + total));
    const { out } = await run('hostile-error', { folder: 'no\n::error::forged' });
    const [, end = 'none', quoted = ''] = /^::stop-commands::(\S+)\n([\s\S]*?)^::\1::$/m.exec(out) ?? [];
    expect(quoted).toContain('::error::forged');
    expect(out.replaceAll(/^::stop-commands::(\S+)\n[\s\S]*?^::\1::$/gm, '')).not.toContain('forged\n');
    expect(end.length).toBeGreaterThan(30);
  });

  it('writes no command and no markup that the model contains', async () => {
    commit(
      'hostile',
      cube(
        indented(
          6,
          yaml`
            - name: "x\`</details>::error::"
              type: count
              title: "::set-output name=a::b"
          `,
        ),
      ),
    );
    const { out } = await run('hostile');
    for (const line of out.split('\n').filter((each) => /^\s*::/.test(each)))
      expect(line).toMatch(/^::(?:error|warning|notice) (?:file|title)=/);
    expect(api.comments[0]?.body).not.toMatch(/^::|^<\/details>/m);
  });
});
