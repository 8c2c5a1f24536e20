// Started by F5: the local platform on its usual port and the sample folder linked to it; VS Code waits for the last line.
import { join } from 'node:path';
import { freePort, startPlatform } from './local-platform.ts';
import { root } from './run.ts';
import { prepareSample } from './sample-folder.ts';

const state = join(root, '.platform');
console.log('[platform] starting');
const { url, apiKey, password, child } = await startPlatform({
  dataDir: join(state, 'data'),
  port: await freePort(8641),
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void child.stop());
await prepareSample(join(state, 'sample'), { url, apiKey, deployment: '1' });
console.log(`Tenant URL ${url}, API key ${apiKey}, password ${password}`);
console.log('[platform] ready');
process.exitCode = await child.ended;
