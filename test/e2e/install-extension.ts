import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../../esbuild.mjs';
import { mustRun, root } from '../tools/run.ts';
import { installVSCodeServer } from '../tools/vscode-server.ts';
import { packageVsix } from '../tools/vsix.ts';

/** Where the packaged extension is installed for the journeys. */
export const installed = join(root, '.cache/extensions');

/** Returns the folder with the bundles of the installed extension: what a user gets. */
export function installedBundles(): string {
  const [found, ...more] = globSync(join(installed, 'modelbench.*/dist'));
  if (found === undefined || more.length > 0) throw new Error(`One extension is expected in ${installed}.`);
  return found;
}

/** Name of the variable with the path of a package that was made already. */
export const packaged = 'MODELBENCH_VSIX';

/** Before all journeys: installs what a user would get, the package that is there or one that is made now. */
export async function setup(): Promise<void> {
  const vsix = process.env[packaged] ?? (await buildAndPackage());
  const { serverMain } = await installVSCodeServer((text) => console.error(text));
  rmSync(installed, { recursive: true, force: true, maxRetries: 3 });
  const folders = ['--extensions-dir', installed, '--server-data-dir', join(root, '.cache/installer')];
  const flags = ['--accept-server-license-terms', '--install-extension', vsix, '--force'];
  await mustRun(process.execPath, [serverMain, ...folders, ...flags]);
}

async function buildAndPackage(): Promise<string> {
  await build({ production: true });
  return packageVsix();
}
