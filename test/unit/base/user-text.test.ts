import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinTexts, passage, text, textOf, withIcon } from '#base/user-text.ts';

/** How VS Code finds links in messages and prompts, and icons in labels. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const icon = /\$\([a-z0-9-]+(?:~[a-z0-9-]+)?\)/i;
const invisible = /[\p{Cc}\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/u;

/** Texts in which every second character matters to a parser. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('[', ']', '(', ')', '$', '$(', '](', 'command:', 'https://', 'file:', 'a', ' ', '\n', '\r', '\t'),
      fc.constantFrom(
        '\0',
        '\u001B',
        '\u200B',
        '\u202E',
        '\u2066',
        '\uFEFF',
        '\uD800',
        '\u{E0041}',
        'zap',
        '~spin',
        '"x"',
      ),
      fc.constant('[Sign in again](command:workbench.action.terminal.new) $(zap)'),
      fc.string({ unit: 'binary' }),
    ),
  )
  .map((pieces) => pieces.join(''));

function isInert(shown: string, lines = 1): boolean {
  const broken = [link, icon].some((parsed) => parsed.test(shown)) || invisible.test(shown.replaceAll('\n', ''));
  return !broken && shown.split('\n').length <= lines && shown.isWellFormed();
}

describe('text for users', () => {
  it('never holds a link, an icon or an invisible character, whatever its values are', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (a, b, c) => {
        expect(isInert(text`${a}${b}`)).toBe(true);
        expect(isInert(text`“${a}” of [${b}](${c}) $(${a}) and ]${b}(${c})$${a}`)).toBe(true);
        expect(isInert(textOf(a + b))).toBe(true);
        expect(isInert(passage(a), Number.POSITIVE_INFINITY)).toBe(true);
        expect(isInert(joinTexts([textOf(a), textOf(b)], ' '))).toBe(true);
      }),
    );
  });

  it('says the same when it is made again of its own result', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        expect(textOf(textOf(value))).toBe(textOf(value));
        expect(passage(passage(value))).toBe(passage(value));
      }),
    );
  });

  it('leaves ordinary sentences as they are', () => {
    for (const value of ['Café – “日本語” 👩‍💻', 'a[0] = (b)', 'Costs $5 (net)', 'שלום', 'orders.count > 5 && x']) {
      expect(textOf(value)).toBe(value);
      expect(text`Deploy ${value}?`).toBe(`Deploy ${value}?`);
    }
  });

  it('ends links and icons with a blank and shows what is hidden as a box', () => {
    expect(textOf('[Sign in again](command:workbench.action.terminal.new) $(zap) \u202Egnp.exe')).toBe(
      '[Sign in again] (command:workbench.action.terminal.new) $ (zap) \uFFFDgnp.exe',
    );
  });

  it('draws the icon at the start of a template and none that came with a value', () => {
    expect(text`$(check) Signed out of ${'$(zap) Acme'}`).toBe('$(check) Signed out of $ (zap) Acme');
    expect(text`${'$(zap)'} Acme`).toBe('$ (zap) Acme');
    expect(text`Half $(check) way`).toBe('Half $ (check) way');
    expect(withIcon('zap) $(x', textOf('Acme'))).toBe('$(zapx) Acme');
  });

  it('keeps the icons of joined texts', () => {
    expect(joinTexts([text`$(check) A`, text`$(zap) ${'$(zap)'}`], ' · ')).toBe('$(check) A · $(zap) $ (zap)');
  });

  it('folds line breaks of a value, and keeps those of the template and of passages', () => {
    expect(text`First.\nName: ${'a\r\n\u2028b'}`).toBe('First.\nName: a b');
    expect(passage('a\r\nb\u2028c')).toBe('a\nb\nc');
  });

  it('cuts what is too long without breaking a character', () => {
    expect(text`Push to ${'x'.repeat(900)}?`).toHaveLength('Push to ?'.length + 500);
    expect(text`Push to ${'😀'.repeat(400)}?`.isWellFormed()).toBe(true);
    expect(text`Push to ${`a${'😀'.repeat(400)}`}?`.isWellFormed()).toBe(true);
    expect(textOf('x'.repeat(5000)).at(-1)).toBe('…');
  });
});
