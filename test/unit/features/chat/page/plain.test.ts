import { describe, expect, it } from 'vitest';
import { safeHref, unescaped } from '#features/chat/page/markdown/plain.ts';
import { visible } from '#shared/page/visible.ts';

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
    ['file:///etc/passwd', undefined],
    ['//example.com', undefined],
    ['orders.yml', undefined],
  ])('%j → %j', (href, safe) => {
    expect(safeHref(href)).toBe(safe);
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
});
