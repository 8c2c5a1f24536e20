import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PageName } from '#shell/vscode/webview-page.ts';
import { installedBundles } from '../install-extension.ts';
import { openPages, type Pages } from './pages.ts';

/** The production bundle of a page, a browser to show it in, and where its pictures go. */
export interface BundledPage {
  readonly pages: Pages;
  readonly folder: string;
  readonly pictures: string;
  close(): Promise<void>;
}

/** @param folder the bundles of pages; by default those of the installed extension */
export async function bundledPage(name: PageName, folder = installedBundles()): Promise<BundledPage> {
  const pages = await openPages();
  const pictures = join(import.meta.dirname, '../../../test-results/pages', name);
  mkdirSync(pictures, { recursive: true });
  return { pages, folder, pictures, close: async () => pages.close() };
}
