import { Lexer, Tokenizer } from 'marked';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { lexed } from '#features/chat/page/markdown/bounded-lexer.ts';

/** Texts of about `count` marks of one kind, nested, in a row, and without an end. */
const texts: Readonly<Record<string, (count: number) => string>> = {
  'nested emphasis': (count) => `${'*a '.repeat(count)}b${'*'.repeat(count)}`,
  'nested emphasis of two kinds': (count) => '*a **b '.repeat(count / 2) + 'b** a*'.repeat(count / 2),
  'nested underscores': (count) => '_a '.repeat(count) + ' b_'.repeat(count),
  'nested bold': (count) => '**a '.repeat(count) + ' b**'.repeat(count),
  'bold that ends as emphasis': (count) => '**x* '.repeat(count),
  'nested strikethrough': (count) => '~~a '.repeat(count) + ' b~~'.repeat(count),
  'emphasis without an end': (count) => '*a **a '.repeat(count),
  'nested links': (count) => `${'['.repeat(count)}a${'](b)'.repeat(count)}`,
  'links without an end': (count) => '[a](b '.repeat(count),
  brackets: (count) => '['.repeat(count) + ']'.repeat(count),
  'nested quotations': (count) => `${'> '.repeat(count)}a`,
  'nested quotations that a line continues': (count) => `${'> '.repeat(count)}a\nb`,
  'quotations that lines continue': (count) => '> a\nb\n'.repeat(count),
  'nested lists': (count) => `${'- '.repeat(count)}a`,
  'nested lists and quotations': (count) => `${'> - '.repeat(count)}a`,
  'a list of many lines': (count) => `- a\n${'  b\n'.repeat(count)}`,
  'a list of many items': (count) => '- a\n'.repeat(count),
  'a table of many columns and rows': (count) =>
    `${'|a'.repeat(count)}|\n${'|-'.repeat(count)}|\n${'|\n'.repeat(count)}`,
  'heads of tables without a table': (count) => 'a|b\n:-\n'.repeat(count),
  'underlined headings': (count) => 'a\n-\n'.repeat(count),
  'tags without an end': (count) => 'a <a b="'.repeat(count),
  'comments without an end': (count) => 'a <!-- '.repeat(count),
  'nested tags': (count) => '<div>'.repeat(count),
  'code without an end': (count) => 'a`` '.repeat(count) + '`',
  'fences of code': (count) => '```\na\n```\n'.repeat(count),
  'an address of one word': (count) => `${'a.'.repeat(count)}@`,
  'an address with character references': (count) => `https://example.com${'&amp;'.repeat(count)}`,
};

afterEach(() => {
  setExec(execute);
  vi.restoreAllMocks();
});

describe('lexed', () => {
  it.each(Object.entries(texts).flatMap(([name, make]) => [1000, 10_000].map((count) => [name, count, make] as const)))(
    'reads %s, %d of them, with bounded work and loses no character',
    (_name, count, make) => {
      const text = make(count);
      const work = countedWork();
      const tokens = lexed(text);
      expect(work()).toBeLessThan(30_000_000);
      expect(tokens.map(({ raw }) => raw).join('')).toBe(text);
    },
  );

  it('reads a long, ordinary answer as without limits', () => {
    const answer =
      '## Orders\n\nThe **revenue** of `orders` is in [a report](https://example.com).\n\n- *one*\n- two\n\n';
    const text = answer.repeat(1000) + '| a | b |\n|---|---|\n' + '| **1** | `2` |\n'.repeat(5000);
    expect(lexed(text)).toEqual([...new Lexer({ gfm: true }).lex(text)]);
  });
});

// oxlint-disable-next-line typescript/unbound-method -- it is called with the right `this`
const execute = RegExp.prototype.exec;

/** Counts what the parser does from now on: its searches, and the characters that it reads at each of its steps. */
function countedWork(): () => number {
  let work = 0;
  const count = (of: object, step: string, effort: (source: string, raw?: string) => number): void => {
    const spied = of as Record<string, (source: string, ...rest: unknown[]) => { readonly raw?: string } | undefined>;
    const original = spied[step];
    vi.spyOn(spied, step).mockImplementation(function counted(this: unknown, source, ...rest) {
      const token = original?.call(this, source, ...rest);
      work += effort(source, token?.raw);
      return token;
    });
  };
  for (const step of ['lheading', 'table', 'paragraph', 'blockquote']) {
    count(Tokenizer.prototype, step, (source, raw = source.split('\n\n', 1)[0]) => raw?.length ?? 0);
  }
  count(Lexer.prototype, 'inlineTokens', ({ length }) => length);
  setExec(function counted(this: RegExp, source) {
    work += 1;
    return execute.call(this, source);
  });
  return () => work;
}

function setExec(value: RegExp['exec']): void {
  // oxlint-disable-next-line no-extend-native -- a spy would keep millions of calls
  Object.defineProperty(RegExp.prototype, 'exec', { value, writable: true, configurable: true });
}
