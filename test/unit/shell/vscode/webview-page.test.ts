import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type PageName, pages, webviewPage } from '#shell/vscode/webview-page.ts';

const SOURCES = join(import.meta.dirname, '../../../../src');
const address = { script: 's.js', style: 's.css', cspSource: 'https://local', nonce: 'abc' };

describe('the page of a webview', () => {
  it('allows one script by its nonce and nothing inline, evaluated or from elsewhere', () => {
    const policies = Object.keys(pages).map((name) => {
      const page = webviewPage({ ...pages[name as PageName], ...address });
      expect(page).not.toMatch(/unsafe|<style|\son\w+=|style=/);
      expect(page.match(/<script/g)).toHaveLength(1);
      return /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1]?.split('; ');
    });
    const least = [
      "default-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-src 'none'",
      "script-src 'nonce-abc'",
      'style-src https://local',
    ];
    const withMedia = [...least, 'font-src https://local', 'img-src https://local data:'];
    expect(policies).toEqual([
      [...withMedia, 'worker-src blob:'],
      withMedia,
      least,
      least,
      [...least, 'img-src https://local data:', 'worker-src blob:'],
      least,
      [...least, 'img-src https://local data:'],
      least,
      least,
    ]);
  });

  it('has the element that its script draws into', () => {
    expect(webviewPage({ ...pages.dashboard, ...address })).toContain('<div id="dashboard"></div>');
  });
});

describe('every page of the extension', () => {
  const all = mapPages((name) => webviewPage({ ...pages[name], ...address }));

  it.each(Object.entries(all))('%s has no frame, no form, no other base and nothing unsafe', (_name, page) => {
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? '';
    for (const directive of ['default-src', 'base-uri', 'form-action', 'frame-src'])
      expect(policy.split('; ')).toContain(`${directive} 'none'`);
    expect(policy).not.toMatch(/unsafe|\*|https?:(?!\/\/local)/);
  });

  it('is made here: no other source sets the HTML of a webview', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
    const makers = files.filter((name) =>
      /\.html\s*=|Content-Security-Policy/.test(readFileSync(join(SOURCES, name), 'utf8')),
    );
    expect(makers.map((name) => name.replaceAll('\\', '/')).sort()).toEqual([
      'shell/content-policy.ts',
      'shell/vscode/webview-page.ts',
      'shell/vscode/webview.ts',
    ]);
  });
});

function mapPages(page: (name: PageName) => string): Record<string, string> {
  return Object.fromEntries((Object.keys(pages) as PageName[]).map((name) => [name, page(name)]));
}
