// npm start: the local platform, a sample model linked to it, and VS Code with the extension.
//   npm start -- [--desktop] [--port N] [--fresh] [--state DIR]
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../../esbuild.mjs';
import { type Child, startNode } from './children.ts';
import { startDesktop } from './desktop-window.ts';
import { type GuardedProxy, startGuardedProxy } from './guarded-proxy.ts';
import { freePort, type RunningPlatform, startPlatform } from './local-platform.ts';
import { root } from './run.ts';
import { prepareSample } from './sample-folder.ts';
import { calmSettings } from './vscode-host.ts';
import { installVSCodeServer } from './vscode-server.ts';
import { packageVsix } from './vsix.ts';

const { values: options } = parseArgs({
  options: {
    desktop: { type: 'boolean' },
    port: { type: 'string' },
    fresh: { type: 'boolean' },
    state: { type: 'string', default: join(root, '.platform') },
  },
});
const { state } = options;
const sample = join(state, 'sample');
const children: Child[] = [];
const sockets: string[] = [];
let proxy: GuardedProxy | undefined;
const started = performance.now();
let ending = false;

/** VS Code asks once whether to trust the sample folder, as it does for every folder. */
const userSettings = { ...calmSettings, 'security.workspace.trust.startupPrompt': 'once' };

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));

try {
  await start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await end(1);
}

async function start(): Promise<void> {
  if (options.fresh) rmSync(state, { recursive: true, force: true, maxRetries: 3 });
  mkdirSync(state, { recursive: true });
  say('starting the local platform');
  const platform = await startPlatform({ dataDir: join(state, 'data'), port: await freePort(8641) });
  children.push(platform.child);
  void platform.child.ended.then((code) => ending || stopped('The local platform', code));
  await prepareSample(sample, { url: platform.url, apiKey: platform.apiKey, deployment: '1' });
  say('building the extension');
  await build({ production: options.desktop !== true });
  const where = options.desktop ? startDesktop(sample) : await startServer(platform);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`
Modelbench is ready (${seconds} s).

  VS Code        ${where}
  Tenant URL     ${platform.url}
  API key        ${platform.apiKey}
  Password       ${platform.password}   (for the browser sign-in)
  Chat API URL   ${platform.chatApiUrl}
  Sample model   ${sample}

What to try
  1. ${options.desktop ? 'Sign in with the tenant URL and the API key above.' : 'Open the address above and trust the folder: you are signed in already.'}
  2. Start dev mode on a branch (Branches view), edit model/cubes/orders.yml and save: the first save asks, then it is on the platform.
  3. Click Preview Data above a cube or a member: its rows appear, without a question.
  4. Break the file and save: the engine's error is a problem in it. Mend it again.
  5. Commit, pull, merge to the default branch; switch on the staging environment of a shared branch.
  6. In the Chat view paste the Chat API URL above, ask "orders by status" and stop it while it answers.

Key, password and the address of VS Code are new at each start, and only this machine can reach them.
Ctrl-C ends everything. \`npm start -- --fresh\` begins again with new data.
`);
}

/** Starts what a user gets: the packaged extension, installed into a VS Code that is served to the browser. */
async function startServer({ url, apiKey }: RunningPlatform): Promise<string> {
  const { wrapper } = await installVSCodeServer(say);
  const vsix = await packageVsix();
  const userData = join(state, 'vscode');
  const settings = join(userData, 'User/settings.json');
  if (!existsSync(settings)) {
    mkdirSync(join(userData, 'User'), { recursive: true });
    writeFileSync(settings, `${JSON.stringify(userSettings, undefined, 2)}\n`);
  }
  // Otherwise its configuration file would be written to the user's home folder.
  const config = join(userData, 'config.yaml');
  writeFileSync(config, 'auth: none\n');
  const folders = ['--config', config, '--user-data-dir', userData, '--extensions-dir', join(userData, 'extensions')];
  say('installing the extension into VS Code');
  const installer = startNode([wrapper, ...folders, '--install-extension', vsix, '--force']);
  await installer.line(/successfully installed/);
  await installer.ended;
  // Only this user can enter this folder, so others reach VS Code through the proxy alone.
  const folder = ownFolder();
  const socketPath = join(folder, 'vscode');
  const server = startNode(
    [
      wrapper,
      ...['--auth', 'none', '--socket', socketPath, '--session-socket', join(folder, 'session')],
      ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
      ...folders,
    ],
    { MODELBENCH_TENANT_URL: url, MODELBENCH_API_KEY: apiKey },
  );
  children.push(server);
  await server.line(/HTTP server listening on/);
  void server.ended.then((code) => ending || stopped('VS Code', code));
  const port = options.port === undefined ? await freePort(8642) : Number(options.port);
  proxy = await startGuardedProxy({ port, socketPath, token: randomBytes(24).toString('base64url') });
  return `${proxy.url}&folder=${encodeURIComponent(sample)}`;
}

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-'));
  sockets.push(folder);
  return folder;
}

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  proxy?.close();
  await Promise.all(children.map(async (child) => child.stop()));
  for (const folder of sockets) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.exit(code);
}

function stopped(what: string, code: number): void {
  console.error(`${what} ended unexpectedly (${code}).`);
  void end(1);
}

function say(text: string): void {
  console.error(`[start] ${text}`);
}
