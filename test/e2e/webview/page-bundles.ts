import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import type { PageName } from '#shell/vscode/webview-page.ts';
import { bundleOptions } from '../../../esbuild.mjs';

/** Builds the production bundles of pages; resolves to their folder, which the caller removes. */
export async function buildPages(...names: readonly PageName[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'page-bundles-'));
  for (const name of [...names, 'charts'])
    await esbuild.build({ ...bundleOptions(`webview/${name}`, { production: true }), outdir: folder });
  return folder;
}
