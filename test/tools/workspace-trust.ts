import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { untilSeen } from './until-seen.ts';

/** Where VS Code stores in a browser profile which folders the user trusts, and under which key. */
const stored = { database: 'vscode-web-state-db-global-shared', table: 'ItemTable', key: 'content.trust.model.key' };

/** The folders that are trusted in each browser profile. */
export class TrustedFolders {
  readonly #trusted = new WeakMap<BrowserContext, Set<string>>();

  /**
   * Stores that the user trusts `folder`, as VS Code does once the user has said so: a window of the server at `url` that is opened
   * on it afterwards is trusted at once. To say so in the window takes a quarter of the work of its start.
   */
  async store(context: BrowserContext, url: string, folder: string): Promise<void> {
    const trusted = this.#trusted.get(context) ?? new Set();
    this.#trusted.set(context, trusted);
    if (trusted.has(folder)) return;
    trusted.add(folder);
    const all = [...trusted].map((path) => ({ path, scheme: 'vscode-remote', authority: new URL(url).host }));
    const page = await context.newPage();
    // Any page of the server's address has the same storage.
    await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    await page.goto(url);
    await page.evaluate(put, {
      ...stored,
      value: JSON.stringify({ uriTrustInfo: all.map((uri) => ({ uri, trusted: true })) }),
    });
    await page.close();
  }
}

interface Entry {
  readonly database: string;
  readonly table: string;
  readonly key: string;
  readonly value: string;
}

/** Writes a value into a database of the browser, which is made where VS Code has not done so yet; runs in a page. */
async function put({ database, table, key, value }: Entry): Promise<void> {
  const opening = indexedDB.open(database, 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(table));
  await new Promise<void>((done, failed) => {
    const fail = (): void => failed(new Error(`${database} cannot be written`));
    opening.addEventListener('error', fail);
    opening.addEventListener('success', () => {
      const writing = opening.result.transaction(table, 'readwrite');
      writing.objectStore(table).put(value, key);
      writing.addEventListener('error', fail);
      writing.addEventListener('complete', () => done());
    });
  });
  opening.result.close();
}

/** Throws an error where a window that has been drawn is in Restricted Mode. */
export async function assertTrusted(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor();
  if (await bannerOf(page).isVisible())
    throw new Error('The window is in Restricted Mode: VS Code stores elsewhere by now which folders are trusted.');
}

/** Trusts the folders of a window as a user does, in the *Workspace Trust* editor. The editor stays open. */
export async function trustInEditor(page: Page): Promise<void> {
  // VS Code draws the banner and the editor again while a window loads: a click that comes between is lost.
  await untilSeen(editorOf(page), async (timeout) => bannerOf(page).click({ timeout }));
  const trust = editorOf(page).getByRole('button', { name: 'Trust', exact: true });
  await untilSeen(editorOf(page).getByText('You trust this'), async (timeout) => trust.click({ timeout }));
}

/** The link of the banner of a window in Restricted Mode. */
const bannerOf = (page: Page): Locator => page.locator('.part.banner').getByText('Manage', { exact: true });

const editorOf = (page: Page): Locator => page.locator('.workspace-trust-editor');

/** Returns files of the repository under `folder` that would make VS Code start with workspace trust switched off. */
export function filesWithoutTrust(folder: string): readonly string[] {
  const places = ['test', '.vscode', '.ci', 'package.json'].filter((place) => existsSync(join(folder, place)));
  const files = places.flatMap((place) => {
    const path = join(folder, place);
    if (!statSync(path).isDirectory()) return [place];
    return readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(place, name));
  });
  return files.filter((file) => {
    const path = join(folder, file);
    return statSync(path).isFile() && switchesTrustOff.test(readFileSync(path, 'utf8'));
  });
}

const switchesTrustOff = /--disable-workspace-trus[t]|disableWorkspaceTrus[t]|security\.workspace\.trust\.enable[d]/;
