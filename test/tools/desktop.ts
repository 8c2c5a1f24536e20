// npm run test:desktop: the suites of test/vscode in a desktop VS Code, which @vscode/test-electron downloads.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { build } from '../../esbuild.mjs';
import { root } from './run.ts';
import { bundleSuites } from './suites.ts';

await build();
const folder = mkdtempSync(join(tmpdir(), 'modelbench-desktop-'));
try {
  process.exitCode = await runTests({
    cachePath: process.env['MODELBENCH_CACHE'] ?? join(root, '.vscode-test'),
    extensionDevelopmentPath: root,
    extensionTestsPath: await bundleSuites(),
    launchArgs: [
      folder,
      '--disable-extensions',
      '--disable-workspace-trust',
      `--user-data-dir=${join(folder, '.data')}`,
    ],
  });
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  console.error(`The desktop VS Code did not run the suites: ${text}`);
  console.error(
    'Its download needs update.code.visualstudio.com; without it, npm test runs the same suites in a server.',
  );
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
