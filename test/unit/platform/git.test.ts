import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { git } from '#platform/git/git.ts';

const cwd = tmpdir();

/** What Git calls a file with these bytes. */
const blobHash = (bytes: Buffer): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

describe('a Git command', () => {
  it('gets every byte of its input and gives every byte of its answer, beside others', async () => {
    const inputs = Array.from({ length: 12 }, (_, n) => Buffer.alloc(1 + n * 40_000, n));
    const answers = await Promise.all(inputs.map((input) => git(['hash-object', '--stdin'], { cwd, input })));
    expect(answers.map(({ stdout }) => stdout.toString('utf8').trim())).toEqual(inputs.map(blobHash));
  });

  it('reports its own message when it fails, unless its code is an answer', async () => {
    const wrong = ['hash-object', 'not-there.yml'];
    await expect(git(wrong, { cwd })).rejects.toThrow(/^git hash-object failed \(128\): fatal: .*not-there\.yml/);
    expect(await git(wrong, { cwd, accept: [128] })).toMatchObject({ code: 128, stdout: Buffer.alloc(0) });
  });

  it('says what is missing when it cannot be started', async () => {
    const env = { PATH: '/nowhere' };
    await expect(git(['--version'], { cwd, env })).rejects.toThrow(
      'The git command could not be started: install Git.',
    );
    expect((await git(['--version'], { cwd })).stdout.toString('utf8')).toMatch(/^git version /);
  });
});
