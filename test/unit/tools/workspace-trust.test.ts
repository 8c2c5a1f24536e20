import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../tools/run.ts';
import { filesWithoutTrust } from '../../tools/workspace-trust.ts';

it('starts no window of the tests with workspace trust switched off', () => {
  expect(filesWithoutTrust(root)).toEqual([]);
});

it.each([
  ['test/tools/vscode-host.ts', 'const args = ["--disable-workspace-', 'trust"]'],
  ['test/e2e/deep/down.test.ts', 'settings: { "security.workspace.trust.', 'enabled": false }'],
  ['.vscode/launch.json', '{ "args": ["--disable-workspace-', 'trust"] }'],
  ['package.json', '{ "scripts": { "x": "code --disable-workspace-', 'trust" } }'],
])('finds trust that is switched off in %s', (path, before, after) => {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-trust-'));
  try {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), before + after);
    expect(filesWithoutTrust(folder)).toEqual([path]);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
});
