import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { pressUntilGone, untilSeen } from './until-seen.ts';

/** The folders that the user has trusted in each browser profile. VS Code stores that; a later window is trusted at once. */
export class TrustedFolders {
  readonly #trusted = new WeakMap<BrowserContext, Set<string>>();

  /** Trusts `folder` in a window on it that is loading; `closes`: closes the editor that it used. */
  async grant(page: Page, folder: string, closes: boolean): Promise<void> {
    const trusted = this.#trusted.get(page.context()) ?? new Set();
    this.#trusted.set(page.context(), trusted);
    if (trusted.has(folder)) return;
    await trustInEditor(page);
    if (closes) await closeEditor(page);
    trusted.add(folder);
  }
}

/** Trusts the folders of a window as a user does, in the *Workspace Trust* editor. The editor stays open. */
export async function trustInEditor(page: Page): Promise<void> {
  // VS Code draws the banner and the editor again while a window loads: a click that comes between is lost.
  const manage = page.locator('.part.banner').getByText('Manage', { exact: true });
  await untilSeen(editorOf(page), async (timeout) => manage.click({ timeout }));
  const trust = editorOf(page).getByRole('button', { name: 'Trust', exact: true });
  await untilSeen(editorOf(page).getByText('You trust this'), async (timeout) => trust.click({ timeout }));
}

async function closeEditor(page: Page): Promise<void> {
  await pressUntilGone(
    page
      .locator('[class*=modal-editor]')
      .getByRole('button', { name: /^Close/ })
      .first(),
  );
}

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
