import { accessSync, constants, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { run } from './run.ts';

/** The same engine without a window of its own: it draws no tabs and toolbars, which is a fifth to a quarter of a browser's work. */
const shells = ['chromium-headless-shell', 'chrome-headless-shell'];

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

/** Flags for a browser that works headless, as root and without a network. */
const flags: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  // Drawing without a graphics card needs no process of its own, to which every picture would be copied.
  '--in-process-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const install = 'apt-get -o DPkg::Lock::Timeout=-1 install -y -q --no-install-recommends chromium';
const installDebians = [
  'test -x /usr/bin/chromium',
  // Not every release has the shell as a package.
  `{ apt-get update -q; ${install} chromium-headless-shell || ${install}; }`,
].join(' || ');

/**
 * Starts what draws with the least work, without a time limit: a headless shell where there is one and nobody watches, or else a
 * browser. `args` come after the flags that all need.
 */
export async function launchChromium(options: Pick<LaunchOptions, 'args' | 'headless'> = {}): Promise<Browser> {
  const names = options.headless === false ? browsers : [...shells, ...browsers];
  const executablePath = await findChromium(names, (text) => console.error(`[set-up] ${text}`));
  const args = [...flags, ...(options.args ?? [])];
  return chromium.launch({ ...options, executablePath, args, timeout: 0 });
}

/**
 * Returns the path of a Chromium: `CHROME_PATH`, the first of `names` on the search path, or Playwright's own; otherwise installs
 * Debian's as root on Debian. Throws an error with instructions if there is none.
 */
async function findChromium(names: readonly string[], say: (text: string) => void): Promise<string> {
  const found = installed(names);
  if (found !== undefined) return found;
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    say('no Chromium here: installing the Debian package chromium (apt-get, about a minute)');
    // Several tests may find it missing at once; apt-get refuses to run twice at the same time.
    const { output } = await run('flock', [join(tmpdir(), 'modelbench-chromium.lock'), 'sh', '-c', installDebians], {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    });
    const now = installed(names);
    if (now !== undefined) return now;
    say(output.trim().split('\n').slice(-5).join('\n'));
  }
  throw new Error('No Chromium found: install chromium or google-chrome, or set CHROME_PATH to the program.');
}

function installed(names: readonly string[]): string | undefined {
  const wanted = process.env['CHROME_PATH'];
  if (wanted) {
    if (!runnable(wanted)) throw new Error(`CHROME_PATH is ${wanted}, which is not a program that can be started.`);
    return wanted;
  }
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  const candidates = [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    playwrightsOwn(),
  ];
  return candidates.find((path) => path !== undefined && runnable(path));
}

function playwrightsOwn(): string | undefined {
  try {
    return chromium.executablePath();
  } catch {
    return undefined;
  }
}

function runnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
