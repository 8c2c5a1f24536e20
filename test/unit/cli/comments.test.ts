import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parse } from 'yaml';
import { type CommentApi, startCommentApi } from '#support/comment-api.ts';
import { type NoteApi, startNoteApi } from '#support/note-api.ts';
import { root } from '../../tools/run.ts';

interface Limit {
  readonly longest: number;
  readonly sizeOf: (line: string) => number;
  readonly note: string;
}

/** What the action writes comments with. */
const action = (await import(pathToFileURL(join(root, '.github/actions/check/comment.mjs')).href)) as {
  readonly keepComment: (text: string, where: { token: string; number: number | undefined }) => Promise<void>;
  readonly summaryText: (text: string) => string;
  readonly shortened: (text: string, limit: Limit) => string;
};

/** The program with which the recipe writes a note, as the documentation has it. */
const recipe = (() => {
  const page = readFileSync(join(root, 'docs/tools.md'), 'utf8');
  const job = parse(/### GitLab[\s\S]*?```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '') as {
    readonly 'data-model': { readonly script: readonly string[] };
  };
  const line = job['data-model'].script.find((each) => each.startsWith("node -e '")) ?? '';
  return /^node -e '([\s\S]*)'\s*$/.exec(line)?.[1] ?? 'throw new Error("The recipe has no program.");';
})();

describe('the comment on a pull request', () => {
  let api: CommentApi;
  let out: string;
  beforeEach(async () => {
    api = await startCommentApi('acme/shop', 7, 'good-token');
    vi.stubEnv('GITHUB_API_URL', api.url);
    vi.stubEnv('GITHUB_REPOSITORY', 'acme/shop');
    out = '';
    vi.spyOn(console, 'log').mockImplementation((line: string) => void (out += `${line}\n`));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    await api.close();
  });

  const keep = async (text = 'New', token = 'good-token'): Promise<void> =>
    action.keepComment(text, { token, number: 7 });
  const own = (id: number, body = '<!-- modelbench -->\nOld') => ({
    ...{ id, body, user: { login: 'github-actions[bot]', type: 'Bot' as const } },
  });
  const user = (id: number, body: string) => ({ id, body, user: { login: 'eve', type: 'User' as const } });

  it('is found on a late page, and a user’s is never replaced', async () => {
    const forged = [1, 2, 3, 4, 5].map((id) => user(id, `<!-- modelbench -->\n${id}`));
    api.comments.push(...forged, own(6, 'Another bot'), own(7));
    await keep();
    expect(api.comments.at(-1)?.body).toBe('<!-- modelbench -->\nNew');
    expect(forged.map(({ body }) => body.at(-1)).join('')).toBe('12345');
    expect(api.requests.filter((line) => line !== 'GET /user').map((line) => line.split(' ')[0])).toEqual([
      ...['GET', 'GET', 'GET', 'GET', 'PATCH'],
    ]);
  });

  it('is replaced as well where a token of a user’s own wrote it', async () => {
    api.signIn('ada');
    api.comments.push(user(1, '<!-- modelbench -->\nForged'), own(2, 'Another bot'));
    await keep('First');
    await keep('Second');
    expect(api.comments.map(({ body }) => body)).toEqual([
      '<!-- modelbench -->\nForged',
      'Another bot',
      '<!-- modelbench -->\nSecond',
    ]);
    expect(out).toBe('');
  });

  it('is written again where it was deleted since it was found', async () => {
    api.comments.push(own(5));
    api.refusals.PATCH = 404;
    await keep();
    expect(api.comments.map(({ body }) => body)).toEqual(['<!-- modelbench -->\nOld', '<!-- modelbench -->\nNew']);
    expect(out).toBe('');
  });

  it.each(
    (['GET', 'POST', 'PATCH'] as const)
      .flatMap((method) => [401, 403, 404, 410, 422, 429, 500, 502, 503].map((status) => [method, status] as const))
      .filter(([method, status]) => method !== 'PATCH' || status !== 404),
  )('is a warning where GitHub answers %s with %i', async (method, status) => {
    if (method === 'PATCH') api.comments.push(own(5));
    api.refusals[method] = status;
    await keep();
    expect(out).toBe(
      `::warning title=Modelbench::The comment was not written. GitHub answered ${method} of the comment with ${status}.\n`,
    );
    expect(api.comments.map(({ body }) => body)).toEqual(method === 'PATCH' ? ['<!-- modelbench -->\nOld'] : []);
  });

  it('is a warning of one line where GitHub cannot be reached, without the token', async () => {
    await api.close();
    await keep('New', 'secret-token');
    expect(out).toMatch(/^::warning title=Modelbench::The comment was not written\. [^\n]+\n$/);
    expect(out).not.toContain('secret');
  });

  it('is not written where there is no pull request', async () => {
    await action.keepComment('New', { token: 'good-token', number: undefined });
    expect(api.requests).toEqual([]);
  });

  it('is cut at the end of a line, and so is a summary, which GitHub measures in bytes', async () => {
    const text = Array.from({ length: 20_000 }, (_, at) => `- \`removed measure orders.größe_${at} 😀\``).join('\n');
    await keep(text);
    const body = api.comments[0]?.body ?? '';
    expect([body.length <= 65_536, body.length > 65_000]).toEqual([true, true]);
    expect(body).toMatch(/😀`\n\nThis comment was cut off\. The summary of the run has more of it\.$/);
    const summary = action.summaryText(text.repeat(2));
    expect([Buffer.byteLength(summary) <= 2 ** 20, Buffer.byteLength(summary) > 1_000_000]).toEqual([true, true]);
    expect(summary).toMatch(/😀`\n\nThis summary was cut off\. Run “modelbench diff” to see all of it\.$/);
    expect(action.summaryText('short')).toBe('short');
  });

  it('closes a block of code where it is cut', () => {
    const lines = Array.from({ length: 20 }, () => '``` is not the end 😀');
    const block = ['**Tests**', '', '````text', ...lines, '````', 'x'].join('\n');
    const limit = { sizeOf: (line: string) => line.length, note: 'This was cut off.' };
    expect(action.shortened(block, { ...limit, longest: block.length })).toBe(block);
    for (let longest = 120; longest < block.length; longest += 1) {
      const cut = action.shortened(block, { ...limit, longest });
      expect(cut.length).toBeLessThanOrEqual(longest);
      expect(cut.split('\n').filter((line) => line.startsWith('````'))).toHaveLength(cut.includes('````') ? 2 : 0);
      expect(cut).toMatch(/\n\nThis was cut off\.$/);
    }
  });
});

describe('the note on a merge request', () => {
  let api: NoteApi;
  beforeEach(async () => {
    api = await startNoteApi(12, 7, 'good-token');
  });
  afterEach(async () => api.close());

  /** Runs the program as the job does, in the pipeline of a fork; resolves to what it wrote. */
  async function write(text = 'New', token: string | undefined = 'good-token'): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'modelbench-note-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'note.md'), text);
    const env = {
      CI_API_V4_URL: `${api.url}/api/v4`,
      CI_PROJECT_ID: '44',
      CI_MERGE_REQUEST_PROJECT_ID: '12',
      CI_MERGE_REQUEST_IID: '7',
      ...(token === '' ? {} : { MODELBENCH_NOTE_TOKEN: token }),
    };
    return new Promise((resolve, reject) => {
      execFile(process.execPath, ['-e', recipe], { cwd: folder, env }, (error, stdout, stderr) =>
        error ? reject(error) : resolve(`${stdout}${stderr}`),
      );
    });
  }
  const own = (id: number) => ({ id, body: '<!-- modelbench -->\nOld', author: { id: 900 } });

  it('is found on a late page, and a user’s is never replaced', async () => {
    api.notes.push(own(1), ...[2, 3, 4, 5].map((id) => ({ id, body: '<!-- modelbench -->\nForged', author: { id } })));
    expect(await write()).toBe('');
    expect(api.notes.map(({ body }) => body.split('\n')[1])).toEqual(['New', 'Forged', 'Forged', 'Forged', 'Forged']);
  });

  it('is written again where it was deleted since it was found', async () => {
    api.notes.push(own(1));
    api.refusals.PUT = 404;
    expect(await write()).toBe('');
    expect(api.notes.map(({ body }) => body)).toEqual(['<!-- modelbench -->\nOld', '<!-- modelbench -->\nNew']);
  });

  it.each([
    ['GET', 403],
    ['GET', 429],
    ['POST', 404],
    ['POST', 503],
    ['PUT', 500],
  ] as const)('is left as it is, with a reason, where GitLab answers %s with %i', async (method, status) => {
    if (method === 'PUT') api.notes.push(own(1));
    api.refusals[method] = status;
    expect(await write()).toBe(`The note was not written. GitLab answered with ${status}.\n`);
    expect(api.notes.map(({ body }) => body)).toEqual(method === 'PUT' ? ['<!-- modelbench -->\nOld'] : []);
  });

  it('is not written without a token, as in a fork', async () => {
    expect(await write('New', '')).toBe('The note was not written. MODELBENCH_NOTE_TOKEN is not set.\n');
    expect(api.requests).toEqual([]);
  });

  it('is cut at the end of a line where GitLab would refuse it', async () => {
    expect(await write('- `removed measure orders.größe 😀`\n'.repeat(40_000))).toBe('');
    const body = api.notes[0]?.body ?? '';
    expect([body.length <= 1_000_000, body.length > 990_000]).toEqual([true, true]);
    expect(body).toMatch(/😀`\n\nThis note was cut off\. Run “modelbench diff” to see all of it\.$/);
  });
});
