import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../../esbuild.mjs';
import { mustRun, root } from '../tools/run.ts';
import { installVSCodeServer } from '../tools/vscode-server.ts';
import { packageVsix } from '../tools/vsix.ts';

/** Where the packaged extension is installed for the journeys. */
export const installed = join(root, '.cache/extensions');

/** Before all journeys: builds, packages and installs what a person would get. */
export async function setup(): Promise<void> {
  await build({ production: true });
  const vsix = await packageVsix();
  const { serverMain } = await installVSCodeServer((text) => console.error(text));
  rmSync(installed, { recursive: true, force: true });
  const folders = ['--extensions-dir', installed, '--server-data-dir', join(root, '.cache/installer')];
  const flags = ['--accept-server-license-terms', '--install-extension', vsix, '--force'];
  await mustRun(process.execPath, [serverMain, ...folders, ...flags]);
}
