// npm run test:desktop: the suites of test/vscode in a desktop VS Code, which @vscode/test-electron downloads.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { build } from '../../esbuild.mjs';
import { root } from './run.ts';
import { bundleSuites, suitesFolder, suitesWorkspace } from './suites.ts';

await build();
const folder = suitesFolder();
try {
  process.exitCode = await runTests({
    cachePath: process.env['MODELBENCH_CACHE'] ?? join(root, '.vscode-test'),
    extensionDevelopmentPath: root,
    extensionTestsPath: await bundleSuites(),
    launchArgs: [
      join(folder, suitesWorkspace),
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
