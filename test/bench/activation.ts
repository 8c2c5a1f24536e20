import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../esbuild.mjs';
import { Workbench } from '../e2e/workbench.ts';
import { root } from '../tools/run.ts';
import { startVSCode, type VSCodeHost } from '../tools/vscode-host.ts';
import { type Bench, median } from './figures.ts';

/** Extension-host time that activation may take, in milliseconds, and the bundle's size, in KB. */
const reach = { activation: 150, bundle: 300 };

/** How long VS Code says that the extension's activation took, over several windows. */
export const run: Bench = async ({ quick }) => {
  await build({ production: true });
  const host = await startVSCode();
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-bench-'));
  try {
    const times: number[] = [];
    for (let window = 0; window < (quick ? 2 : 7); window += 1) times.push(await activationTime(host, folder));
    const middle = median(times);
    const worst = Math.max(...times);
    const size = readFileSync(join(root, 'dist/extension.js')).length / 1024;
    return [
      { id: 'activation', value: middle, unit: 'ms', reach: reach.activation, ok: middle <= reach.activation },
      {
        id: 'slowest activation',
        value: worst,
        unit: 'ms',
        reach: 2 * reach.activation,
        ok: worst <= 2 * reach.activation,
      },
      { id: 'extension bundle', value: size, unit: 'KB', reach: reach.bundle, ok: size <= reach.bundle },
    ];
  } finally {
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Opens a window with the extension's views and reads VS Code's own list of running extensions. */
async function activationTime(host: VSCodeHost, folder: string): Promise<number> {
  const workbench = await Workbench.open(host, 'bench', folder);
  try {
    await workbench.openContainer('Modelbench');
    await workbench.run('Developer: Show Running Extensions');
    const row = workbench.page.locator('.runtime-extensions-editor .monaco-list-row').filter({ hasText: 'modelbench' });
    const time = row.locator('.activation-time', { hasText: /\d+ms/ });
    await time.waitFor();
    const text = await time.innerText();
    const milliseconds = /(\d+)ms/.exec(text)?.[1];
    if (milliseconds === undefined) throw new Error(`VS Code shows no activation time: ${text}`);
    return Number(milliseconds);
  } finally {
    await workbench.page.context().close();
  }
}
