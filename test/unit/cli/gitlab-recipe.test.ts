import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasUnixPrograms } from '#support/unix-programs.ts';
import { parse } from 'yaml';
import { type NoteApi, startNoteApi } from '#support/note-api.ts';
import { packedCommandLine } from '#support/packed-command-line.ts';
import { root } from '../../tools/run.ts';

interface Recipe {
  readonly 'data-model': {
    readonly script: readonly string[];
    readonly variables: Readonly<Record<string, number | string>>;
    readonly artifacts: { readonly reports: { readonly codequality: string } };
  };
}

interface Ended {
  readonly code: number;
  readonly out: string;
  /** The report of code quality; `undefined`: there is none. */
  readonly problems: readonly { readonly check_name: string; readonly severity: string }[] | undefined;
}

/** What a pipeline has otherwise. */
interface Pipeline {
  /** The commit in which the source and the target branch went apart. */
  readonly since?: string;
  readonly digest?: string;
  /** The commit of the target branch, in a pipeline for merged results. */
  readonly target?: string;
}

/** The job, as the documentation has it. */
const { 'data-model': job } = parse(
  /### GitLab[\s\S]*?```yaml\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/tools.md'), 'utf8'))?.[1] ?? '',
) as Recipe;

const model = (measure: string): string => `cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
    measures:
      - {name: count, type: count}
${measure}`;
const total = '      - {name: total, type: sum, sql: amount}\n';

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

describe.runIf(hasUnixPrograms('bash', 'sha256sum', 'curl'))('the recipe for GitLab', { tags: ['machine'] }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-gitlab-'));
  const remote = join(folder, 'remote.git');
  const author = join(folder, 'author');
  let archive: string;
  let base: string;
  let api: NoteApi;
  let runs = 0;

  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (cwd: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd,
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();

  beforeAll(async () => {
    archive = await packedCommandLine(folder);
    git(folder, 'init', '--quiet', '--bare', '--initial-branch', 'main', remote);
    git(folder, 'clone', '--quiet', remote, author);
    base = commit('main', model(total));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    api = await startNoteApi(12, 7, 'good-token');
  });
  afterEach(async () => api.close());

  /** Commits a model on a branch and pushes it; answers with the commit. */
  function commit(branch: string, text: string): string {
    git(author, 'checkout', '--quiet', '-B', branch);
    mkdirSync(join(author, 'model'), { recursive: true });
    writeFileSync(join(author, 'model/orders.yml'), text);
    git(author, 'add', '--all');
    git(author, 'commit', '--quiet', '--allow-empty', '--message', branch);
    git(author, 'push', '--quiet', '--force', 'origin', branch);
    return git(author, 'rev-parse', 'HEAD');
  }

  /** Runs the script of the job as a runner does: all lines in one shell, which ends at the first that fails. */
  async function run(
    branch: string,
    noteToken: string | undefined,
    { since = base, digest = digestOf(archive), target = '' }: Pipeline = {},
  ): Promise<Ended> {
    runs += 1;
    const project = join(folder, `run-${runs}`);
    // A depth of 0 is the whole history.
    expect(job.variables).toEqual({
      GIT_DEPTH: 0,
      MODELBENCH_ARCHIVE: expect.stringMatching(/^https:.*\.tgz$/) as string,
      MODELBENCH_DIGEST: expect.anything() as string,
    });
    git(folder, 'clone', '--quiet', '--branch', branch, remote, project);
    const variables = {
      ...env,
      PATH: `${dirname(process.execPath)}:${env.PATH}`,
      MODELBENCH_ARCHIVE: pathToFileURL(archive).href,
      MODELBENCH_DIGEST: digest,
      CI_API_V4_URL: `${api.url}/api/v4`,
      // Of the project that runs the pipeline, which in a fork is another one.
      CI_PROJECT_ID: '44',
      CI_MERGE_REQUEST_PROJECT_ID: '12',
      CI_MERGE_REQUEST_IID: '7',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: since,
      // Empty where the pipeline is not one for merged results.
      CI_MERGE_REQUEST_TARGET_BRANCH_SHA: target,
      ...(noteToken === undefined ? {} : { MODELBENCH_NOTE_TOKEN: noteToken }),
    };
    const script = ['set -eo pipefail', ...job.script].join('\n');
    const ended = await new Promise<{ readonly code: number; readonly out: string }>((resolve) => {
      execFile('bash', ['-c', script], { cwd: project, env: variables }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, out: `${stdout}${stderr}` }),
      );
    });
    const report = join(project, job.artifacts.reports.codequality);
    const problems = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Ended['problems']) : undefined;
    return { ...ended, problems };
  }

  it('reports problems and keeps one note with what the change means', async () => {
    commit('feature', model('      - {name: average, type: number, sql: "{nope} / {count}"}\n'));
    api.notes.push(
      { id: 1, body: '<!-- modelbench -->\nForged', author: { id: 5 } },
      { id: 2, body: 'Nice!', author: { id: 6 } },
    );
    const broken = await run('feature', 'good-token');
    expect(broken).toMatchObject({ code: 1 });
    expect(broken.problems).toMatchObject([{ check_name: 'unknown-reference', severity: 'critical' }]);
    const [forged, , own] = api.notes;
    expect(forged?.body).toContain('Forged');
    expect(own?.body).toContain('orders.total');
    expect(own?.body).toContain('**Can break queries**');

    for (const at of [3, 4]) api.notes.push({ id: at, body: 'Later', author: { id: 6 } });
    commit('feature', model(`${total}      - {name: largest, type: max, sql: amount}\n`));
    const fixed = await run('feature', 'good-token');
    expect(fixed).toMatchObject({ code: 0 });
    expect(fixed.problems).toEqual([]);
    expect(api.notes).toHaveLength(5);
    expect(own?.body).toContain('orders.largest');
    expect(api.requests.at(-1)).toBe('PUT /api/v4/projects/12/merge_requests/7/notes/102');
  });

  it('judges the model where the token is refused or not there, as in forks', async () => {
    commit('fork', model(total));
    for (const token of ['wrong-token', undefined]) {
      const ended = await run('fork', token);
      expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('The note was not written') as unknown });
      expect(ended.out).not.toContain('wrong-token');
    }
    expect(api.notes).toEqual([]);
  });

  it('leaves out what others merged since, in a pipeline for merged results', async () => {
    const target = commit('theirs', model(total).replaceAll('total', 'amount'));
    commit('merged', model(total).replaceAll('total', 'amount') + 'views: []\n');
    const ended = await run('merged', 'good-token', { target });
    expect(ended).toMatchObject({ code: 0, problems: [] });
    expect(api.notes[0]?.body).toContain('Nothing changes for queries');
  });

  it('runs no archive of another digest', async () => {
    commit('other', model(total));
    const ended = await run('other', 'good-token', { digest: '0'.repeat(64) });
    expect(ended).toMatchObject({ code: 1, problems: undefined });
    expect(ended.out).toContain('FAILED');
    expect(api.notes).toEqual([]);
  });

  it('fails where the comparison cannot be made', async () => {
    commit('unknown', model(total));
    const ended = await run('unknown', 'good-token', { since: '0'.repeat(40) });
    const out = expect.stringContaining('no revision') as unknown;
    expect(ended).toMatchObject({ code: 1, out, problems: undefined });
    expect(api.notes).toEqual([]);
  });
});
