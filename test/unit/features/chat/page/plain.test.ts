import { describe, expect, it } from 'vitest';
import { safeHref, unescaped, unexpectedHost } from '#features/chat/page/markdown/plain.ts';
import { visible } from '#shared/page/visible.ts';
import { JOINED_TEXTS, STRAY_NAMES } from '#support/stray-characters.ts';

describe('safeHref', () => {
  it.each([
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['http://example.com', 'http://example.com/'],
    ['mailto:ann@example.com', 'mailto:ann@example.com'],
    ['javascript:alert(1)', undefined],
    [' JaVaScRiPt:alert(1)', undefined],
    ['java\nscript:alert(1)', undefined],
    ['data:text/html,<script>', undefined],
    ['command:workbench.action.quit', undefined],
    ['vscode://x', undefined],
    ['vscode-insiders:x', undefined],
    ['file:///etc/passwd', undefined],
    ['blob:https://example.com/x', undefined],
    // Reads as the first host, leads to the second one.
    ['https://github.com@evil.example/x', undefined],
    ['https://github.com:443@evil.example/x', undefined],
    ['//example.com', undefined],
    ['orders.yml', undefined],
  ])('%j → %j', (href, safe) => {
    expect(safeHref(href)).toBe(safe);
  });
});

describe('the host of a link', () => {
  it.each([
    ['https://example.com/a', 'the docs', undefined],
    ['https://example.com/a', 'https://example.com/b', undefined],
    ['https://example.com/a', 'Example.COM', undefined],
    ['https://example.com/a', 'e.g. this page', undefined],
    ['https://evil.example/a', 'https://github.com/a', 'evil.example'],
    ['https://evil.example:8443/a', 'github.com', 'evil.example:8443'],
    ['https://github.com.evil.example/', 'github.com', 'github.com.evil.example'],
    ['https://evil.example/a', 'https://github&#46;com/a', 'evil.example'],
    // Cyrillic а.
    ['https://g\u{430}thub.com/', 'the docs', 'xn--gthub-4ve.com'],
    ['mailto:ann@example.com', 'write to Ann', undefined],
  ])('of %j, written as %j, is shown as %j', (href, name, host) => {
    expect(unexpectedHost(safeHref(href) ?? '', name)).toBe(host);
  });
});

describe('text for text nodes', () => {
  it.each([
    ['a &lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; &#x2014; &nbsp;', 'a <b> & "c" \'d\' — \u{a0}'],
    ['&unknown; &#0; &#9999999; &', '&unknown; &#0; &#9999999; &'],
    ['&#x202e;gnp', '⟨U+202E⟩gnp'],
  ])('resolves %j', (text, plain) => {
    expect(unescaped(text)).toBe(plain);
  });

  it('shows characters that turn or hide text', () => {
    expect(visible('a\u{202e}b\u{2066}c\u{200f}')).toBe('a⟨U+202E⟩b⟨U+2066⟩c⟨U+200F⟩');
  });

  it('shows what is not drawn at all, in every place of a name', () => {
    const hidden = [0x61c, 0xad, 0x180e, 0x200b, 0x200c, 0x200d, 0x2028, 0x2060, 0x2064, 0x3164, 0xfeff, 0xe0041];
    for (const code of hidden) {
      const [character, shown] = [String.fromCodePoint(code), `⟨U+${code.toString(16).toUpperCase()}⟩`];
      for (const at of [0, 3, 6]) {
        const name = 'orders';
        expect(visible(name.slice(0, at) + character + name.slice(at))).toBe(
          name.slice(0, at) + shown + name.slice(at),
        );
      }
    }
  });

  it('leaves joiners where a script or an emoji needs them', () => {
    for (const text of JOINED_TEXTS) expect(visible(text)).toBe(text);
  });

  it.each(Object.entries(STRAY_NAMES))('shows %s', (_, name) => {
    expect(visible(name)).toContain('⟨U+');
  });
});
