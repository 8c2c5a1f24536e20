import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { published, unownedNames } from '../../tools/package-names.ts';
import { root } from '../../tools/run.ts';

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
/** Of what is read or run by someone. This test plants what it finds elsewhere. */
const files = tracked.filter(
  (path) =>
    /\.(?:md|ya?ml|json|[cm]?[jt]sx?|sh|txt)$|^\.ci\//.test(path) &&
    !/package-lock\.json$|package-names\.test\.ts$|^test\/(?:fixtures|corpora)\//.test(path),
);

describe('packages that readers are asked to install', () => {
  it('belong to someone who has published them, and none of them is ours', () => {
    expect(files.length).toBeGreaterThan(1000);
    const unowned = files.flatMap((path) =>
      unownedNames(readFileSync(join(root, path), 'utf8')).map((name) => `${path}: ${name}`),
    );
    expect(unowned).toEqual([]);
    expect(Object.keys(published).filter((name) => name.startsWith('modelbench'))).toEqual([]);
  });

  it.each([
    ['Run `npm install --global modelbench-cli` first.', ['modelbench-cli']],
    ['    - npm i -g modelbench-cli@0.1.0', ['modelbench-cli']],
    ['npx --yes @modelbench/cli check', ['@modelbench/cli']],
    ['pnpm dlx modelbench check', ['modelbench', 'check']],
    ['yarn add modelbench.', ['modelbench']],
    ["run('npm', ['install', ...flags, 'modelbench-cli']);", ['modelbench-cli']],
    ['npm install ./modelbench-cli-0.1.0.tgz', []],
    ['npm install && npm test', []],
    ['npx --no vsce publish', []],
    ['npx --yes ovsx@1.3.0', []],
    ['npm install --no-save NAME', []],
  ])('are found in a text: %s', (text, names) => {
    expect(unownedNames(text)).toEqual(names);
  });
});
