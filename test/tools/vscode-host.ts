import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { type Child, startNode } from './children.ts';
import { launchChromium } from './chromium.ts';
import { longestWait } from './limits.ts';
import { root } from './run.ts';
import { installVSCodeServer } from './vscode-server.ts';
import { TrustedFolders } from './workspace-trust.ts';

/** VS Code's server on this machine and a browser for its window. */
export interface VSCodeHost {
  readonly url: string;
  readonly dataDir: string;
  /** What the server printed so far. */
  output(): string;
  /** A window on `folder`; each has a browser profile of its own unless `context` is given. */
  open(options: WindowOptions): Promise<Page>;
  newContext(): Promise<BrowserContext>;
  /** Ends the server with all that it runs, and starts it again at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** What a user has long answered: the question at the first save has a test of its own. */
const answeredSettings = {
  'modelbench.sync.onSave': true,
  // Tests write documents as texts; those of the form open it themselves.
  'modelbench.documents.openAs': 'json',
};

export interface HostOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Shows the browser's window. */
  readonly headed?: boolean;
  /**
   * Folder of installed extensions, for a window as a user has it. Without it the extension runs from the sources'
   * `dist/`, in VS Code's automation mode: needed for suites, but that mode shows no notifications. With it, only those
   * built-in extensions are there that a journey meets.
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
  'js/ts.tsserver.automaticTypeAcquisition.enabled': false,
  'editor.minimap.enabled': false,
  // A cursor that blinks has its window drawn twice a second.
  'editor.cursorBlinking': 'solid',
  'files.autoSave': 'off',
  'security.workspace.trust.startupPrompt': 'never',
};

/** Starts the server on a free port with a data folder of its own, and a browser. */
export async function startVSCode(options: HostOptions = {}): Promise<VSCodeHost> {
  const { serverMain } = await installVSCodeServer((text) => console.error(`[set-up] ${text}`));
  const dataDir = mkdtempSync(join(tmpdir(), 'modelbench-vscode-'));
  mkdirSync(join(dataDir, 'data/Machine'), { recursive: true });
  const settings = { ...calmSettings, ...answeredSettings, ...options.settings };
  writeFileSync(join(dataDir, 'data/Machine/settings.json'), JSON.stringify(settings, undefined, 2));

  const token = randomBytes(24).toString('base64url');
  // In a file: other users of the machine see the arguments of a process.
  writeFileSync(join(dataDir, tokenFile), token, { mode: 0o600 });
  const start = (port: string): Child => startServer(serverMain, dataDir, { ...options, port });
  let server = start('0');
  const url = await urlOf(server);
  const browser = await launchChromium({ headless: !options.headed });
  const newContext = async (): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(longestWait);
    await context.addInitScript(stopAnimations);
    await context.addInitScript(keepPassingMessages);
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
      const page = await (window.context ?? (await newContext())).newPage();
      await window.prepare?.(page);
      await page.goto(windowUrl({ url, token }, window, fromSources), { waitUntil: 'commit' });
      if (window.isRestricted !== true) await trust.grant(page, window.folder, window.suite === undefined);
      return page;
    },
    restart: async () => {
      // As when a machine is shut down: extensions have the time that VS Code gives them.
      await server.end();
      server = start(new URL(url).port);
      await urlOf(server);
    },
    stop: async () => {
      await browser.close();
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** In every page: a spinner or a progress bar that continues would have the whole window drawn sixty times a second. */
function stopAnimations(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '*, ::before, ::after { animation-duration: 1ms !important; animation-iteration-count: 1 !important }',
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/**
 * In every page: a message of the status bar passes after seconds, or when the next one comes. They are kept in
 * `passingMessages`, so that a test that looks late finds what was said.
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

const tokenFile = 'connection-token';

const unset = { MODELBENCH_API_KEY: undefined, MODELBENCH_TENANT_URL: undefined };

/** No extension gallery is asked. */
const offline: Readonly<Record<string, string>> = { EXTENSIONS_GALLERY: '{}' };

/** As if a shell had started it: else a login shell is run before any extension is, with whatever a profile does there. */
const fromShell: Readonly<Record<string, string>> = { VSCODE_CLI: '1' };

/** A window reads every one of the 90 built-in extensions when it starts: with these, a start takes 15 % less work. */
const metInJourneys = [
  ...['configuration-editing', 'diff', 'git', 'git-base', 'javascript', 'json', 'json-language-features', 'log'],
  ...['markdown-basics', 'markdown-language-features', 'media-preview', 'merge-conflict', 'python', 'references-view'],
  ...['search-result', 'sql', 'theme-defaults', 'theme-modern-icons', 'theme-seti', 'typescript-basics', 'yaml'],
];

function linkBuiltIns(serverMain: string, dataDir: string): string {
  const folder = join(dataDir, 'built-in-extensions');
  // A server that is started again finds them.
  if (existsSync(folder)) return folder;
  mkdirSync(folder);
  const all = join(dirname(serverMain), '../extensions');
  for (const name of metInJourneys) symlinkSync(join(all, name), join(folder, name), 'junction');
  return folder;
}

function startServer(serverMain: string, dataDir: string, options: HostOptions & { readonly port: string }): Child {
  const args = [
    serverMain,
    ...['--host', '127.0.0.1', '--port', options.port],
    ...['--connection-token-file', join(dataDir, tokenFile)],
    '--accept-server-license-terms',
    ...(options.extensionsDir === undefined
      ? ['--enable-smoke-test-driver']
      : [
          ...['--extensions-dir', options.extensionsDir],
          ...['--builtin-extensions-dir', linkBuiltIns(serverMain, dataDir)],
        ]),
    ...['--telemetry-level', 'off'],
    ...['--server-data-dir', dataDir],
  ];
  // Nothing that this machine has set may sign the product in or steer VS Code.
  return startNode(args, { ...unset, ...offline, ...fromShell, ...options.env }, dataDir);
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
