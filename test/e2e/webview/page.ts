import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { PagePosts } from '#shell/page-posts.ts';
import { type PageName, pages, webviewPage } from '#shell/vscode/webview-page.ts';
import { giveUpOn } from '../../tools/given-up.ts';
import type { Theme } from './themes.ts';

export const ORIGIN = 'https://chat.example';
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.map': 'application/json',
};

/** What a page asked for, and what it reported. */
export interface Watched {
  readonly requests: string[];
  readonly problems: string[];
}

/**
 * Serves a view's production page and bundle to a browser page, and nothing else. Throws an error where the bundle is missing, and gives up on a
 * page that later asks for another file which is: a request without an answer would leave it waiting.
 */
export async function serve(page: Page, folder: string, name: PageName, watched: Watched): Promise<void> {
  for (const path of Object.values(bundleOf(name)))
    if (!existsSync(join(folder, path)))
      throw new Error(`The page “${name}” has no bundle: ${path} is missing in ${folder}.`);
  page.on('pageerror', (error) => watched.problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') watched.problems.push(message.text());
  });
  await page.route('**/*', async (route) => {
    const url = new URL(route.request().url());
    watched.requests.push(url.href);
    if (url.origin !== ORIGIN) return route.abort();
    if (url.pathname === '/') return route.fulfill({ contentType: 'text/html', body: html(name) });
    const file = join(folder, url.pathname);
    if (!existsSync(file)) {
      giveUpOn(page, `The page “${name}” asks for ${url.pathname}, which is missing in ${folder}.`);
      return;
    }
    return route.fulfill({ contentType: TYPES[extname(file)] ?? 'text/plain', body: readFileSync(file) });
  });
}

/** Gives the page what VS Code gives a webview; its messages go to `toHost`. */
export async function connect(page: Page, toHost: (message: unknown) => void): Promise<void> {
  await page.exposeFunction('toHost', toHost);
  await page.addInitScript(() => {
    const { toHost: send } = window as unknown as { toHost: (message: unknown) => void };
    Object.assign(window, {
      acquireVsCodeApi: () => ({
        postMessage: (message: unknown) => send(message),
        getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') as unknown,
        setState: (state: unknown) => sessionStorage.setItem('state', JSON.stringify(state)),
      }),
    });
  });
}

/** As {@link connect}, with messages as the extension numbers them; resolves to a function that posts to the page. */
export async function connectNumbered(
  page: Page,
  receive: (message: unknown) => void,
): Promise<(message: unknown) => void> {
  const posts = new PagePosts(
    (message) => void page.evaluate((data) => window.postMessage(data, '*'), message).catch(() => undefined),
  );
  await connect(page, (message) => {
    if (!posts.take(message)) receive(message);
  });
  return (message) => posts.post(message);
}

/** Gives the page the colours of a theme, as VS Code does. */
export async function dress(page: Page, theme: Theme): Promise<void> {
  await page.evaluate(({ body, variables }) => {
    document.body.className = body;
    const { style } = document.documentElement;
    for (const name of Array.from(style)) if (name.startsWith('--vscode-')) style.removeProperty(name);
    for (const [name, value] of Object.entries(variables)) {
      document.documentElement.style.setProperty(`--vscode-${name}`, value);
    }
    // What VS Code puts into every webview, as far as it matters here.
    const ownStyle = new CSSStyleSheet();
    ownStyle.replaceSync(
      'code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px }',
    );
    document.adoptedStyleSheets = [ownStyle];
    document.body.style.background = variables['sideBar-background'] ?? '';
  }, theme);
}

/** The paths of a page's program and styles. */
function bundleOf(name: PageName): { readonly script: string; readonly style: string } {
  return { script: `/webview/${name}.js`, style: `/webview/${name}.css` };
}

function html(name: PageName): string {
  return webviewPage({
    ...pages[name],
    ...bundleOf(name),
    cspSource: ORIGIN,
    nonce: 'bm9uY2UtZm9yLXRoZS10ZXN0',
  });
}
