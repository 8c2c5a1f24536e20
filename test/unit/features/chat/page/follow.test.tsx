// @vitest-environment happy-dom
import { act, cleanup, render } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useFollow } from '#features/chat/page/view/follow.ts';

/** Lays the content out again, as after new text; and moves the end in or out of sight. */
let grow: () => void = () => undefined;
let see: (isAtEnd: boolean) => void = () => undefined;
let scrolled = 0;

beforeEach(() => {
  scrolled = 0;
  vi.stubGlobal(
    'ResizeObserver',
    observer((hear: () => void) => (grow = () => void act(hear))),
  );
  vi.stubGlobal(
    'IntersectionObserver',
    observer((hear: (entries: readonly { readonly isIntersecting: boolean }[]) => void) => {
      see = (isIntersecting) => void act(() => hear([{ isIntersecting }]));
    }),
  );
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => {
    scrolled += 1;
  });
});
afterEach(() => {
  cleanup();
  document.getSelection()?.removeAllRanges();
});

function observer<Hear>(begin: (hear: Hear) => void) {
  return class {
    constructor(hear: Hear) {
      begin(hear);
    }
    observe(): void {}
    disconnect(): void {}
  };
}

function Log({ question, isSearching }: { readonly question: string; readonly isSearching: boolean }) {
  const { log, content, end, follows } = useFollow(question, isSearching);
  return (
    <div ref={log} class="log" data-follows={follows}>
      <div ref={content}>
        <details>
          <summary tabIndex={0}>Steps</summary>
          <p>Text</p>
        </details>
        <button type="button">Copy</button>
      </div>
      <div ref={end} />
    </div>
  );
}

function shown() {
  const { container, rerender } = render(<Log question="first" isSearching={false} />);
  const find = (selector: string): HTMLElement => container.querySelector<HTMLElement>(selector) as HTMLElement;
  see(true);
  return {
    log: find('.log'),
    find,
    show: (question: string, isSearching: boolean) => rerender(<Log question={question} isSearching={isSearching} />),
    /** Whether more text scrolls to the end. */
    follows: (): boolean => {
      const before = scrolled;
      grow();
      expect(find('.log').dataset['follows']).toBe(String(scrolled > before));
      return scrolled > before;
    },
  };
}

type Shown = ReturnType<typeof shown>;
const happens = (target: EventTarget, event: Event): void => void act(() => void target.dispatchEvent(event));
const wheel =
  (deltaY: number, deltaX = 0) =>
  ({ log }: Shown): void =>
    happens(log, new WheelEvent('wheel', { deltaY, deltaX, bubbles: true }));
const key =
  (name: string, shiftKey = false) =>
  ({ log }: Shown): void =>
    happens(log, new KeyboardEvent('keydown', { key: name, shiftKey, bubbles: true }));
const at =
  (selector: string, event: (type: string) => Event, type: string) =>
  ({ find }: Shown): void =>
    happens(find(selector), event(type));
const bubbling = (type: string): Event => new Event(type, { bubbles: true });

/** Presses at an element, and the end goes out of sight before the button is released. */
const drag =
  (selector: string) =>
  ({ find }: Shown): void => {
    happens(find(selector), bubbling('pointerdown'));
    see(false);
    happens(window, bubbling('pointerup'));
  };

function selectText({ find }: Shown): void {
  void act(() => document.getSelection()?.selectAllChildren(find('p')));
}

/** The focus as the browser draws it after a key: happy-dom does not tell it from the one after a click. */
const focus =
  (selector: string, isVisible: boolean) =>
  (view: Shown): void => {
    const element = view.find(selector);
    vi.spyOn(element, 'matches').mockImplementation((asked) => asked === ':focus-visible' && isVisible);
    happens(element, bubbling('focusin'));
  };

const leaving: readonly (readonly [string, (view: Shown) => void])[] = [
  ['the wheel is turned up', wheel(-1)],
  ['the arrow key up is pressed', key('ArrowUp')],
  ['the page key up is pressed', key('PageUp')],
  ['the home key is pressed', key('Home')],
  ['Shift+Space is pressed', key(' ', true)],
  ['a finger moves the text', at('p', bubbling, 'touchmove')],
  ['something is unfolded', at('summary', bubbling, 'click')],
  ['the keyboard goes to a button', focus('button', true)],
  ['text is selected', selectText],
  ['the scroll bar is dragged', drag('.log')],
  ['a search moves the reader', ({ show }) => show('first', true)],
];

const staying: readonly (readonly [string, (view: Shown) => void])[] = [
  ['the wheel is turned down', wheel(1)],
  ['the wheel is turned to the side', wheel(0, -50)],
  ['Space is pressed', key(' ')],
  ['the arrow key down is pressed', key('ArrowDown')],
  ['a button is clicked', at('button', bubbling, 'click')],
  ['a click gives a button the focus', focus('button', false)],
  ['the keyboard goes to the log itself', focus('.log', true)],
  ['a selection ends', () => happens(document, new Event('selectionchange'))],
  ['a press on the text is held while it grows', drag('p')],
  ['late layout takes the end out of sight', () => see(false)],
];

describe('following an answer', () => {
  it.each(leaving)('ends where %s, and begins again when the reader returns to the end', (_what, happen) => {
    const view = shown();
    expect(view.follows()).toBe(true);
    happen(view);
    expect(view.follows()).toBe(false);
    see(false);
    expect(view.follows()).toBe(false);
    view.show('first', false);
    expect(view.follows()).toBe(false);
    wheel(1)(view);
    see(true);
    expect(view.follows()).toBe(true);
  });

  it.each([
    ['the wheel is turned down', wheel(1)],
    ['the arrow key down is pressed', key('ArrowDown')],
    ['Space is pressed', key(' ')],
    ['the end key is pressed', key('End')],
    ['a finger moves the text', at('p', bubbling, 'touchmove')],
    ['the scroll bar is dragged', at('.log', bubbling, 'pointerdown')],
  ])('begins again where %s and the end comes into sight', (_what, happen) => {
    const view = shown();
    wheel(-1)(view);
    see(false);
    happen(view);
    see(true);
    expect(view.follows()).toBe(true);
  });

  it('begins again where the scroll bar is dragged up and back', () => {
    const view = shown();
    happens(view.log, bubbling('pointerdown'));
    see(false);
    see(true);
    expect(view.follows()).toBe(true);
  });

  it('does not begin again where content that shrinks brings the end into sight', () => {
    const view = shown();
    wheel(1)(view);
    wheel(-1)(view);
    see(false);
    see(true);
    expect(view.follows()).toBe(false);
  });

  it.each(staying)('continues where %s', (_what, happen) => {
    const view = shown();
    happen(view);
    expect(view.follows()).toBe(true);
  });

  it('does not begin again where a search finds something at the end', () => {
    const view = shown();
    view.show('first', true);
    see(false);
    see(true);
    expect(view.follows()).toBe(false);
  });

  it('begins again with the next question, wherever the reader was', () => {
    const view = shown();
    wheel(-1)(view);
    see(false);
    view.show('second', false);
    expect(view.follows()).toBe(true);
  });
});
