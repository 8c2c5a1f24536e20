import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startNode } from '../tools/children.ts';
import { launchChromium } from '../tools/chromium.ts';
import { longestWait } from '../tools/limits.ts';
import { freePort } from '../tools/local-platform.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'modelbench-start-'));
});
afterEach(() => rmSync(state, { recursive: true, force: true, maxRetries: 3 }));

describe('npm start', () => {
  it('opens VS Code with the packaged extension on the linked sample, and ends everything', async () => {
    const start = startNode(['test/tools/start.ts', '--state', state, '--port', '0']);
    const [said] = await start.line(/Modelbench is ready[^]*Ctrl-C ends everything/);
    const address = (name: string): string => new RegExp(`${name} +(\\S+)`).exec(said)?.[1] ?? '';
    expect(address('API key')).not.toBe('');

    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(longestWait);
      await page.goto(address('VS Code'));
      await page.getByRole('button', { name: 'Yes, I trust the authors' }).click();
      const explorer = page.locator('.explorer-viewlet .monaco-list-row');
      await explorer.filter({ hasText: 'modelbench.json' }).waitFor();
      await explorer.filter({ hasText: /^model$/ }).waitFor();
      await page.locator('.part.activitybar [aria-label^="Modelbench"]').first().click();
      await page.locator('.part.sidebar .monaco-list-row', { hasText: 'Shop analytics' }).first().waitFor();
      expect(page.url()).not.toContain('tkn=');
      await page.screenshot({ path: 'test-results/start/ready.png' });
    } finally {
      await browser.close();
    }

    const open = new URL(address('VS Code'));
    for (const path of ['/', '/vscode-remote-resource?path=/etc/passwd', '/?tkn=guessed']) {
      expect((await fetch(new URL(path, open), { redirect: 'manual' })).status).toBe(401);
    }

    // As a user ends it, who waits however long that takes.
    start.process.kill('SIGTERM');
    expect(await start.ended).toBe(0);
    for (const name of ['VS Code', 'Tenant URL']) {
      const port = Number(new URL(address(name)).port);
      expect(await freePort(port)).toBe(port);
    }
  });
});
