import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { type Child, startNode } from './children.ts';
import { launchChromium } from './chromium.ts';
import { giveUpOn, watchBrowser, watchPages } from './given-up.ts';
import { longestWait } from './limits.ts';
import { lastLines, root } from './run.ts';
import { installVSCodeServer } from './vscode-server.ts';
import { assertTrusted, TrustedFolders, trustInEditor } from './workspace-trust.ts';

/** VS Code's server on this machine and a browser for its windows. */
export interface VSCodeHost {
  readonly url: string;
  readonly dataDir: string;
  /** Returns what the server has printed so far. */
  output(): string;
  /** Opens a window on `folder`; each has its own browser profile unless `context` is given. */
  open(options: WindowOptions): Promise<Page>;
  newContext(): Promise<BrowserContext>;
  /** Ends the server with everything it runs, and starts it again at the same address. */
  restart(): Promise<void>;
  /** Kills the extension hosts, as a crash does; VS Code starts another one for each window. Not on Windows. */
  crashExtensionHosts(): void;
  stop(): Promise<void>;
}

/** Settings that a user has chosen before: the question at the first save has its own test. */
const answeredSettings = {
  'modelbench.sync.onSave': true,
  // Tests write documents as text; tests of the form open it themselves.
  'modelbench.documents.openAs': 'json',
};

export interface HostOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Shows the browser's window. */
  readonly headed?: boolean;
  /**
   * Folder of installed extensions, for a window as a user has it. Without it, the extension runs from the sources' `dist/`, in
   * VS Code's automation mode: suites need it, but it shows no notifications.
   */
  readonly extensionsDir?: string;
}

export interface WindowOptions {
  /** A folder or a `.code-workspace` file, absolute. */
  readonly folder: string;
  /** A suite bundle to run inside the extension host. */
  readonly suite?: string;
  readonly context?: BrowserContext;
  /** Called with the page before it loads. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** Whether the window stays in Restricted Mode; otherwise the user trusts its folders first. */
  readonly isRestricted?: boolean;
}

/**
 * Settings that keep a window still: nothing pops up, is fetched, animates or, as a browser's would, is saved automatically.
 */
export const calmSettings: Readonly<Record<string, unknown>> = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.colorTheme': 'Light 2026',
  'window.autoDetectColorScheme': false,
  'chat.disableAIFeatures': true,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'git.openRepositoryInParentFolders': 'never',
  'git.autofetch': false,
  'remote.autoForwardPorts': false,
  // What else would list the open files and the commands of all processes every two seconds, because the server can forward ports.
  'remote.autoForwardPortsSource': 'output',
  'js/ts.tsserver.automaticTypeAcquisition.enabled': false,
  'editor.minimap.enabled': false,
  // A cursor that blinks has its window drawn twice a second.
  'editor.cursorBlinking': 'solid',
  'files.autoSave': 'off',
  'security.workspace.trust.startupPrompt': 'never',
};

/** Starts the server on a free port with its own data folder, and a browser. */
export async function startVSCode(options: HostOptions = {}): Promise<VSCodeHost> {
  const { serverMain } = await installVSCodeServer((text) => console.error(`[set-up] ${text}`));
  const dataDir = mkdtempSync(join(tmpdir(), 'modelbench-vscode-'));
  mkdirSync(join(dataDir, 'data/Machine'), { recursive: true });
  const settings = { ...calmSettings, ...answeredSettings, ...options.settings };
  writeFileSync(join(dataDir, 'data/Machine/settings.json'), JSON.stringify(settings, undefined, 2));

  const token = randomBytes(24).toString('base64url');
  // In a file, because other users of the machine can see a process's arguments.
  writeFileSync(join(dataDir, tokenFile), token, { mode: 0o600 });
  const start = (port: string): Child => startServer(serverMain, dataDir, { ...options, port });
  let server = start('0');
  const url = await urlOf(server);
  const browser = await launchChromium({ headless: !options.headed });
  const closeBrowser = watchBrowser(browser);
  /** The server that shall not end; without it, windows only try to connect again. */
  let needed: Child | undefined;
  const need = (running: Child): void => {
    needed = running;
    void running.ended.then((code) => {
      if (needed !== running) return;
      const reason = `VS Code's server ended on its own with ${code}: ${lastLines(running.output(), 5)}`;
      for (const page of browser.contexts().flatMap((context) => context.pages())) giveUpOn(page, reason);
    });
  };
  need(server);
  const newContext = async (): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(longestWait);
    watchPages(context);
    await context.addInitScript(stopAnimations);
    if (!options.headed) await context.addInitScript(drawNothing);
    await context.addInitScript(keepPassingMessages);
    await context.addInitScript(keepNotifications);
    return context;
  };
  const fromSources = options.extensionsDir === undefined;
  const trust = new TrustedFolders();
  return {
    url,
    dataDir,
    output: () => server.output(),
    newContext,
    open: async (window) => {
      const context = window.context ?? (await newContext());
      const isTrusted = window.isRestricted !== true && window.suite === undefined;
      if (isTrusted) await trust.store(context, url, window.folder);
      const page = await context.newPage();
      await window.prepare?.(page);
      await page.goto(windowUrl({ url, token }, window, fromSources), { waitUntil: 'commit' });
      if (isTrusted) await assertTrusted(page);
      // The suites see how a user does it.
      else if (window.isRestricted !== true) await trustInEditor(page);
      return page;
    },
    restart: async () => {
      needed = undefined;
      // As at a shutdown of the machine: extensions get as much time as VS Code gives them.
      await server.end();
      server = start(new URL(url).port);
      await urlOf(server);
      need(server);
    },
    crashExtensionHosts: () => {
      for (const pid of extensionHostsOf(server)) process.kill(pid, 'SIGKILL');
    },
    stop: async () => {
      await closeBrowser();
      needed = undefined;
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Stops animations in every page: a running spinner or progress bar would redraw the whole window sixty times a second. */
function stopAnimations(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '*, ::before, ::after { animation-duration: 1ms !important; animation-iteration-count: 1 !important }',
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/**
 * Makes the window transparent, so that the browser draws nothing of it: what tests click and read is where it was. Only a picture
 * needs what is drawn, and asks for it with {@link drawn}.
 */
function drawNothing(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':root { opacity: 0 }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Styles for the moment of a picture of a window, which is not drawn otherwise. */
export const drawn = ':root { opacity: 1 !important }';

/**
 * Records status bar messages in every page: each disappears after seconds, or when the next one comes. They are stored in
 * `passingMessages`, so that a slow test can still find them.
 */
function keepPassingMessages(): void {
  const said: string[] = [];
  Object.assign(globalThis, { passingMessages: said });
  let last: string | undefined;
  const look = (): void => {
    const text = document.getElementById('status.extensionMessage')?.textContent ?? undefined;
    if (text && text !== last) said.push(text);
    last = text;
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
}

/**
 * Keeps notifications in every page until they are answered or cleared: VS Code hides most of them after 10 seconds, unless the
 * pointer rests on them. A slow test would never see them, and a quick one would find those that nobody cleared.
 */
function keepNotifications(): void {
  const toast = '.notification-toast-container';
  const seen = new WeakSet<Element>();
  const pointAt = (each: Element): void => void each.dispatchEvent(new MouseEvent('mouseover'));
  const keep = (each: Element): void => {
    if (seen.has(each)) return;
    seen.add(each);
    pointAt(each);
    // The real pointer leaves it.
    each.addEventListener('mouseout', () => pointAt(each));
  };
  // Only what is new: a search of the whole window at each of its changes would be felt.
  const look = (changes: readonly MutationRecord[]): void => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element)) continue;
      if (node.matches(toast)) keep(node);
      if (node.firstElementChild) for (const each of node.querySelectorAll(toast)) keep(each);
    }
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true });
}

const tokenFile = 'connection-token';

const unset = { MODELBENCH_API_KEY: undefined, MODELBENCH_TENANT_URL: undefined };

/** Disables requests to an extension gallery. */
const offline: Readonly<Record<string, string>> = { EXTENSIONS_GALLERY: '{}' };

/**
 * Pretends that a shell started it: otherwise VS Code runs a login shell, with everything in its profile, before any extension.
 */
const fromShell: Readonly<Record<string, string>> = { VSCODE_CLI: '1' };

/**
 * Built-in extensions that journeys and suites use. A window loads all 90 of them when it starts; with only these, a start takes
 * 15 % less work, and no script of a model starts the servers for TypeScript.
 */
const usedInTests = [
  ...['configuration-editing', 'diff', 'git', 'git-base', 'javascript', 'json', 'json-language-features', 'log'],
  ...['markdown-basics', 'markdown-language-features', 'media-preview', 'merge-conflict', 'python', 'references-view'],
  ...['search-result', 'sql', 'theme-defaults', 'theme-modern-icons', 'theme-seti', 'typescript-basics', 'yaml'],
];

function linkBuiltIns(serverMain: string, dataDir: string): string {
  const folder = join(dataDir, 'built-in-extensions');
  // Already linked by an earlier start of this server.
  if (existsSync(folder)) return folder;
  mkdirSync(folder);
  const all = join(dirname(serverMain), '../extensions');
  for (const name of usedInTests) symlinkSync(join(all, name), join(folder, name), 'junction');
  return folder;
}

function startServer(serverMain: string, dataDir: string, options: HostOptions & { readonly port: string }): Child {
  const args = [
    serverMain,
    ...['--host', '127.0.0.1', '--port', options.port],
    ...['--connection-token-file', join(dataDir, tokenFile)],
    '--accept-server-license-terms',
    ...['--builtin-extensions-dir', linkBuiltIns(serverMain, dataDir)],
    ...(options.extensionsDir === undefined
      ? ['--enable-smoke-test-driver']
      : ['--extensions-dir', options.extensionsDir]),
    ...['--telemetry-level', 'off'],
    // Both ends are on this machine, where compressing costs more than sending.
    '--disable-websocket-compression',
    ...['--server-data-dir', dataDir],
  ];
  // No setting of this machine may sign the product in or affect VS Code.
  return startNode(args, { ...unset, ...offline, ...fromShell, ...options.env }, dataDir);
}

/** Returns the process ids of the extension hosts that a server has started. */
function extensionHostsOf({ process: { pid } }: Child): readonly number[] {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const own = all.matchAll(/^ *(\d+) +(\d+) .*--type=extensionHost/gm);
  return [...own].filter(([, , parent]) => Number(parent) === pid).map(([, id]) => Number(id));
}

async function urlOf(server: Child): Promise<string> {
  const [, port] = await server.line(/Extension host agent listening on (\d+)/);
  return `http://127.0.0.1:${port}`;
}

interface Address {
  readonly url: string;
  readonly token: string;
}

function windowUrl({ url, token }: Address, { folder, suite }: WindowOptions, fromSources: boolean): string {
  const query = new URLSearchParams({
    tkn: token,
    [folder.endsWith('.code-workspace') ? 'workspace' : 'folder']: folder,
  });
  const remote = (path: string): string => `vscode-remote://${new URL(url).host}${path}`;
  const payload = [
    ['skipWelcome', 'true'],
    ...(fromSources ? [['extensionDevelopmentPath', remote(root)]] : []),
    ...(suite === undefined ? [] : [['extensionTestsPath', remote(suite)]]),
  ];
  query.set('payload', JSON.stringify(payload));
  return `${url}/?${query.toString()}`;
}
