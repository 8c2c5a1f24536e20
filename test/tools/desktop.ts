// npm run test:desktop: the suites of test/vscode in a desktop VS Code, which @vscode/test-electron downloads.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runTests } from '@vscode/test-electron';
import { chromium } from 'playwright-core';
import { build } from '../../esbuild.mjs';
import { freePort } from './local-platform.ts';
import { root } from './run.ts';
import { bundleSuites, suitesFolder, suitesWorkspace } from './suites.ts';
import { trustInEditor } from './workspace-trust.ts';

await build();
const folder = suitesFolder();
const port = await freePort(9222);
const over = new AbortController();
try {
  void trustFolders(over.signal);
  process.exitCode = await runTests({
    cachePath: process.env['MODELBENCH_CACHE'] ?? join(root, '.vscode-test'),
    extensionDevelopmentPath: root,
    extensionTestsPath: await bundleSuites(),
    launchArgs: [
      join(folder, suitesWorkspace),
      '--disable-extensions',
      `--remote-debugging-port=${port}`,
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
  over.abort();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Trusts the folders as soon as the window exists, as a user does: the suites wait for it. */
async function trustFolders(ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    try {
      const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
      const page = browser.contexts().flatMap((context) => context.pages())[0];
      if (page) return await trustInEditor(page);
      await browser.close();
    } catch {
      // The window does not exist yet.
    }
    await delay(500, undefined, { signal: ended }).catch(() => {});
  }
}
