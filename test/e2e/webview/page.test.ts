import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unlessGivenUp } from '../../tools/given-up.ts';
import { installedBundles } from '../install-extension.ts';
import { ORIGIN, serve } from './page.ts';
import { openPages, type Pages } from './pages.ts';

let pages: Pages;
beforeAll(async () => {
  pages = await openPages();
});
afterAll(() => pages.close());

const open = async () => pages.open({ width: 300, height: 200 });
const unwatched = () => ({ requests: [], problems: [] });

describe('a page that cannot be shown ends its test at once', () => {
  it.each(['log.js', 'log.css'])('with the name of the file that its bundle is without: %s', async (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'page-bundles-'));
    cpSync(join(installedBundles(), 'webview'), join(folder, 'webview'), { recursive: true });
    rmSync(join(folder, 'webview', name));
    await expect(serve(await open(), folder, 'log', unwatched())).rejects.toThrow(
      `The page “log” has no bundle: /webview/${name} is missing in ${folder}.`,
    );
    rmSync(folder, { recursive: true });
  });

  it('with the name of a file that is missing when the page asks for it', async () => {
    const page = await open();
    await serve(page, installedBundles(), 'log', unwatched());
    await page.goto(`${ORIGIN}/`);
    const waiting = unlessGivenUp(async () => {
      // Of what the page's policy lets it load, as its program loads a part of itself.
      await page.evaluate(() => {
        document.head.append(
          Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/webview/missing.css' }),
        );
      });
      await page.getByText('what never comes').waitFor();
    });
    await expect(waiting).rejects.toThrow('The page “log” asks for /webview/missing.css, which is missing in ');
    await expect.poll(() => page.isClosed()).toBe(true);
  });

  it('also where it asks a page that crashed again and again', async () => {
    const page = await open();
    const waiting = unlessGivenUp(async () => {
      void page.goto('chrome://crash').catch(() => undefined);
      await expect.poll(async () => page.getByText('what never comes').count()).toBe(1);
    });
    await expect(waiting).rejects.toThrow('The page crashed');
  });
});
