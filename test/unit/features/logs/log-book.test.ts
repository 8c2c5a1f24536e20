import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogBook } from '#features/logs/log-book.ts';
import type { Bounded } from '#features/logs/log-match.ts';
import type { LogLine } from '#features/logs/log-tail.ts';

const row = (message: string): LogLine => ({ date: undefined, pod: undefined, container: undefined, message });
const rows = (...messages: readonly string[]): readonly LogLine[] => messages.map(row);
const any = { pattern: undefined, level: 'debug' } as const;

/** An expression that does not end on some lines. */
class Endless extends RegExp {
  override test(line: string): boolean {
    if (line.includes('slow')) throw new Error('stopped');
    return super.test(line);
  }
}

const watched: Bounded = (work) => {
  try {
    work();
    return true;
  } catch {
    return false;
  }
};

/** The shown lines, without what the format puts before them. */
function shown(book: LogBook): readonly string[] {
  while (book.scan() === 'more');
  const { from, to } = book.shown;
  return book.lines(from, to - from).map(([text]) => text.replace(/^ │ /, ''));
}

const find = (book: LogBook, text: string, from: number, backwards = false): number | 'tooSlow' | undefined => {
  const looking = book.find(new Endless(text), from, backwards);
  for (;;) {
    const step = looking.next();
    if (step.done === true) return step.value;
  }
};

describe('the lines of a log', () => {
  it('show how severe they are; further lines of a row are as severe as its first', () => {
    const book = new LogBook();
    book.append(
      rows('{"level":"warn","m":1}', 'ERROR it broke\n  at x', 'GET /meta 200', 'level=debug tick', 'Error: no'),
    );
    expect(book.lines(0, 9).map(([, level]) => level)).toEqual(['warning', 'error', 'error', 'info', 'debug', 'error']);
    book.filter({ pattern: undefined, level: 'warning' });
    expect(shown(book)).toEqual(['{"level":"warn","m":1}', 'ERROR it broke', '      at x', 'Error: no']);
  });

  it('are filtered as they come, and keep their places when old ones go', () => {
    const book = new LogBook({ kept: 60, keptPaused: 90 });
    book.filter({ pattern: /a/, level: 'debug' });
    book.append(rows(...Array.from({ length: 20 }, (_, at) => `${at % 2 === 0 ? 'a' : 'b'}${at}`)));
    const { from, to } = book.shown;
    expect(to).toBe(0);
    expect(shown(book).at(-1)).toBe('a18');
    const before = book.shown;
    const [first] = book.lines(before.from, 1);
    book.append(rows('a20'));
    expect(shown(book).at(-1)).toBe('a20');
    expect([from, first?.[0]]).toEqual([0, ' │ a12']);
    book.filter(any);
    expect(shown(book).join(' ')).toMatch(/^\w\d+( \w\d+)* a20$/);
  });

  it('stay as they are while paused, within bounds, and say what was too much', () => {
    const book = new LogBook({ kept: 200, keptPaused: 260 });
    book.append(rows('one', 'two'));
    book.pause();
    book.append(rows(...Array.from({ length: 60 }, (_, at) => `new ${at}`)));
    expect([shown(book), book.held]).toEqual([['one', 'two'], 60]);
    book.resume();
    expect(book.isPaused).toBe(false);
    expect(shown(book).at(-1)).toMatch(/^— \d+ lines arrived while the log was paused and were dropped\.$/);
  });

  it('are cleared, also while paused', () => {
    const book = new LogBook();
    book.append(rows('one'));
    book.pause();
    book.append(rows('two'));
    book.clear();
    expect([shown(book), book.held]).toEqual([[], 0]);
    book.append(rows('three'));
    expect(book.held).toBe(1);
    book.resume();
    expect(shown(book)).toEqual(['three']);
  });

  it('are found in both directions, around the ends, among those that are shown', () => {
    const book = new LogBook();
    book.append(rows('x 0', 'y 1', 'x 2', 'y 3', 'x 4'));
    expect([find(book, 'x', 1), find(book, 'x', 1, true), find(book, 'y', 4), find(book, 'z', 0)]).toEqual([
      2,
      0,
      1,
      undefined,
    ]);
    book.filter({ pattern: /y/, level: 'debug' });
    expect(shown(book)).toEqual(['y 1', 'y 3']);
    expect([find(book, '3', 0), find(book, 'x', 0)]).toEqual([1, undefined]);
    expect(find(new LogBook(), 'x', 0)).toBeUndefined();
  });

  it('are searched in chunks, and not by an expression that does not end on one of them', () => {
    const book = new LogBook(undefined, watched);
    book.append(rows('a', 'b', 'slow', 'a'));
    expect([find(book, 'b', 0), find(book, 'a', 1), find(book, 'b', 2)]).toEqual([1, 'tooSlow', 'tooSlow']);
    book.filter({ pattern: new Endless('a'), level: 'debug' });
    expect([book.scan(), book.scan(), book.scan(), book.scan()]).toEqual(['more', 'more', 'more', 'tooSlow']);
    expect(shown(book)).toEqual(['a']);
    book.filter({ pattern: new Endless('a'), level: 'error' });
    expect(book.scan()).toBe('done');
  });

  it('are what a list without bounds would show, whatever is done in between', () => {
    const act = fc.record({
      what: fc.constantFrom('append', 'pause', 'resume', 'clear', 'filter'),
      messages: fc.array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 5 }),
      wants: fc.constantFrom('', 'a'),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        const book = new LogBook();
        let lines: readonly string[] = [];
        let wanted = '';
        let held: number | undefined;
        for (const { what, messages, wants } of acts) {
          if (what === 'append') {
            book.append(rows(...messages));
            lines = [...lines, ...messages];
          } else if (what === 'filter') {
            book.filter({ pattern: wants === '' ? undefined : /a/, level: 'debug' });
            wanted = wants;
          } else {
            book[what]();
            if (what === 'clear') lines = [];
            if (what !== 'clear') held = what === 'pause' ? (held ?? lines.length) : undefined;
            else if (held !== undefined) held = 0;
          }
          expect(shown(book)).toEqual(lines.slice(0, held).filter((line) => line.includes(wanted)));
          expect(book.held).toBe(held === undefined ? 0 : lines.length - held);
        }
      }),
    );
  });
});
