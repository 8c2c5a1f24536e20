import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compileIgnore, type IgnoreFile } from '#sync/core/selection/ignore.ts';

const folders = ['', 'model', 'model/a', 'model/a/b', 'model/ab'];
const names = ['a', 'ab', 'a.yml', 'b.yml', 'ab.yml', 'x[1].yml', 'a b', 'x'];
const files = folders.flatMap((folder) =>
  names.filter((name) => !folders.includes(join(folder, name))).map((name) => join(folder, name)),
);

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** A Git work tree with these files; answers which of them Git leaves out under these ignore files. */
function workTree(): (ignored: readonly IgnoreFile[]) => ReadonlySet<string> {
  const root = mkdtempSync(path.join(tmpdir(), 'ignore-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  const git = (args: readonly string[], input = ''): string => {
    try {
      const options = { cwd: root, input, stdio: ['pipe', 'pipe', 'ignore'] as ['pipe', 'pipe', 'ignore'] };
      return execFileSync(
        'git',
        ['-c', 'core.excludesFile=', '-c', 'core.ignoreCase=false', ...args],
        options,
      ).toString();
    } catch (error) {
      // Nothing is ignored.
      if ((error as { status?: number }).status === 1) return '';
      throw error;
    }
  };
  git(['init', '-q']);
  for (const folder of folders) mkdirSync(path.join(root, folder), { recursive: true });
  for (const file of files) writeFileSync(path.join(root, file), '');
  return (ignored) => {
    for (const folder of folders) rmSync(path.join(root, folder, '.gitignore'), { force: true });
    for (const { folder, text } of ignored) writeFileSync(path.join(root, folder, '.gitignore'), text);
    return new Set(git(['check-ignore', '--no-index', '-z', '--stdin'], files.join('\0')).split('\0'));
  };
}

const piece = fc.constantFrom(
  'a',
  'b',
  '*',
  '**',
  '?',
  '.yml',
  '[a-b]',
  '[!a]',
  '[[:alpha:]]',
  '[',
  ']',
  '\\',
  ' ',
  'x',
);
const glob = fc.array(fc.oneof({ weight: 4, arbitrary: piece }, fc.constant('/')), { minLength: 1, maxLength: 6 });
const line = fc
  .tuple(
    fc.constantFrom('', '', '', '!', '/', '!/', '**/', '#'),
    glob,
    fc.constantFrom('', '', '', '/', '/**', ' ', '\r'),
  )
  .map(([head, middle, tail]) => `${head}${middle.join('')}${tail}`);
const ignoreFiles = fc.uniqueArray(
  fc.record({
    folder: fc.constantFrom(...folders),
    name: fc.constant('.gitignore' as const),
    text: fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => `${lines.join('\n')}\n`),
  }),
  { minLength: 1, maxLength: 3, selector: ({ folder }) => folder },
);

describe('ignore files', () => {
  it('leave out what Git leaves out, whatever the patterns and wherever the files lie', () => {
    const ignoredByGit = workTree();
    fc.assert(
      fc.property(ignoreFiles, (ignored) => {
        const rules = compileIgnore([], ignored);
        const theirs = ignoredByGit(ignored);
        expect(files.filter((file) => rules.ignores(file, false))).toEqual(files.filter((file) => theirs.has(file)));
      }),
      { numRuns: 150 },
    );
  });
});
