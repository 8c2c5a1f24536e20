import { build } from 'esbuild';
import { root } from '../../tools/run.ts';
import type { Figure } from '../figures.ts';

/** What each adds to a page that shows a long list, minified. */
export async function listFigures(): Promise<readonly Figure[]> {
  const value = (await bytesOf(`export { useRowsInSight } from '#shared/page/rows-in-sight.ts';`)) ?? Number.NaN;
  const peerValue = await bytesOf(`export { Virtualizer } from '@tanstack/virtual-core';`);
  if (peerValue === undefined) console.log('Without its peer: npm install --no-save @tanstack/virtual-core');
  const peer = peerValue === undefined ? {} : { peer: '@tanstack/virtual-core', peerValue, ratio: value / peerValue };
  return [{ id: 'rows in sight, added to a page', value, unit: 'bytes', ...peer, ok: true }];
}

async function bytesOf(contents: string): Promise<number | undefined> {
  try {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      absWorkingDir: root,
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      logLevel: 'silent',
      // The pages have it already.
      external: ['preact', 'preact/hooks'],
    });
    return outputFiles[0]?.contents.length;
  } catch {
    return undefined;
  }
}
