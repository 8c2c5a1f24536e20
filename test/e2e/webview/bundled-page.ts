import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import type { PageName } from '#vscode/webview-page.ts';
import { bundleOptions } from '../../../esbuild.mjs';
import { chromiumFlags, findChromium } from '../../tools/chromium.ts';

/** The production bundle of a page, a browser to show it in, and where its pictures go. */
export interface BundledPage {
  readonly browser: Browser;
  readonly folder: string;
  readonly pictures: string;
  close(): Promise<void>;
}

export async function bundledPage(name: PageName): Promise<BundledPage> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-webview-`));
  await esbuild.build({ ...bundleOptions(`webview/${name}`, { production: true }), outdir: folder });
  const executablePath = await findChromium((text) => process.stdout.write(`${text}\n`));
  const browser = await chromium.launch({ executablePath, args: [...chromiumFlags] });
  const pictures = join(import.meta.dirname, '../../../test-results', name);
  mkdirSync(pictures, { recursive: true });
  const close = async (): Promise<void> => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { browser, folder, pictures, close };
}
