import { describe, expect, it } from 'vitest';
import { type PageName, pages, webviewPage } from '#vscode/webview-page.ts';

const address = { script: 's.js', style: 's.css', cspSource: 'https://local', nonce: 'abc' };

describe('the page of a webview', () => {
  it('allows one script by its nonce and nothing inline, evaluated or from elsewhere', () => {
    const policies = Object.keys(pages).map((name) => {
      const page = webviewPage({ ...pages[name as PageName], ...address });
      expect(page).not.toMatch(/unsafe|<style|\son\w+=|style=/);
      expect(page.match(/<script/g)).toHaveLength(1);
      return /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1]?.split('; ');
    });
    const least = ["default-src 'none'", "script-src 'nonce-abc'", 'style-src https://local'];
    const withMedia = [...least, 'font-src https://local', 'img-src https://local data:'];
    expect(policies).toEqual([withMedia, withMedia, least, least]);
  });

  it('has the element that its script draws into', () => {
    expect(webviewPage({ ...pages.dashboard, ...address })).toContain('<div id="dashboard"></div>');
  });
});
