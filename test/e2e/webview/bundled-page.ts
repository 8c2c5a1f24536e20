import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import type { PageName } from '#shell/vscode/webview-page.ts';
import { bundleOptions } from '../../../esbuild.mjs';
import { openPages, type Pages } from './pages.ts';

/** The production bundle of a page, a browser to show it in, and where its pictures go. */
export interface BundledPage {
  readonly pages: Pages;
  readonly folder: string;
  readonly pictures: string;
  close(): Promise<void>;
}

export async function bundledPage(name: PageName): Promise<BundledPage> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-webview-`));
  for (const bundle of [name, 'charts'])
    await esbuild.build({ ...bundleOptions(`webview/${bundle}`, { production: true }), outdir: folder });
  const pages = await openPages();
  const pictures = join(import.meta.dirname, '../../../test-results/pages', name);
  mkdirSync(pictures, { recursive: true });
  const close = async (): Promise<void> => {
    await pages.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  return { pages, folder, pictures, close };
}
