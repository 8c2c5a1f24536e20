import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compileIgnore } from '#sync/core/selection/ignore.ts';

const paths = [
  'a.yml',
  'model/a.yml',
  'model/tmp/b.yml',
  'model/tmp',
  'model/x1.yml',
  'model/x9.yml',
  'model/xa.yml',
  'docs/a.md',
  'docs/deep/b.md',
  'docs/README.md',
  'build/out.js',
  'src/build/out.js',
  'foo/bar/baz',
  'foo/baz',
  'foo/x/y/baz',
  'logs/a.log',
  'logs/important.log',
  'a b.yml',
  'star*.yml',
  '#hash.yml',
  '!bang.yml',
  'model/[draft].yml',
  'model/d.yml',
  'one/two/three.yml',
  'trailing/space.yml',
  'q?.yml',
];

const ruleSets: readonly (readonly string[])[] = [
  ['*.md', '!README.md'],
  ['/build/', 'tmp/'],
  ['build'],
  ['foo/**/baz'],
  ['**/b.yml'],
  ['logs/**', '!logs/important.log'],
  ['logs/*', '!logs/important.log'],
  ['x[0-9].yml', 'model/[!d].yml'],
  ['a b.yml', String.raw`star\*.yml`, String.raw`\#hash.yml`, String.raw`\!bang.yml`],
  ['# a comment', '', '   ', '?.yml'],
  ['one/*/three.yml', 'two'],
  ['model/*', '!model/d.yml'],
  ['*'],
  ['*', '!*.yml', '!*/'],
  [String.raw`model/\[draft\].yml`],
  ['space.yml   ', 'é.yml', 'docs/**/b.md'],
  ['**', '!/a.yml'],
  ['foo/**'],
];

describe('ignore rules', () => {
  it.each(ruleSets)('decide as Git does: %j', (...rules) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'ignore-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    const git = (args: readonly string[], input?: string): string =>
      execFileSync('git', args, { cwd: folder, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });
    git(['init', '-q']);
    writeFileSync(path.join(folder, '.gitignore'), rules.join('\n'));
    const listed = git(
      ['check-ignore', '--no-index', '--stdin', '-z', '--verbose', '--non-matching'],
      paths.join('\0'),
    );
    const fields = listed.split('\0');
    const byGit = new Map<string, boolean>();
    for (let at = 0; at + 3 < fields.length; at += 4) {
      const pattern = fields[at + 2] ?? '';
      byGit.set(fields[at + 3] ?? '', pattern !== '' && !pattern.startsWith('!'));
    }
    const ours = compileIgnore(rules);
    expect(Object.fromEntries(paths.map((file) => [file, ours.ignores(file, false)]))).toEqual(
      Object.fromEntries(paths.map((file) => [file, byGit.get(file) ?? false])),
    );
  });

  it('always leaves out secrets, tools and our own files, whatever the rules say', () => {
    const rules = compileIgnore(['!.env', '!**']);
    const always = [
      '.env',
      'model/.env.local',
      '.git/config',
      'model/node_modules/x.js',
      'x.code-workspace',
      'model/.modelbench-1.tmp',
      'model/a.yml~',
    ];
    expect(always.filter((file) => !rules.ignores(file, false))).toEqual([]);
    expect(rules.ignores('model/a.yml', false)).toBe(false);
  });

  it('counts a letter as one, however many bytes it has', () => {
    expect(compileIgnore(['?.yml']).ignores('model/é.yml', false)).toBe(true);
  });

  it('survives a pattern that is not a pattern', () => {
    expect(compileIgnore(['[z-a].yml', '[', '**[']).ignores('model/a.yml', false)).toBe(false);
  });
});
