import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The distance from the end that still counts as following. */
const NEAR = '48px';
const UPWARD_KEYS = new Set(['ArrowUp', 'PageUp', 'Home']);
const DOWNWARD_KEYS = new Set(['ArrowDown', 'PageDown', 'End', ' ']);

interface Follow {
  /** The scrolled element, its content, and an empty element at the very end. */
  readonly log: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly end: RefObject<HTMLDivElement | null>;
  readonly follows: boolean;
  /** Whether the end is in sight. */
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
  /** The reader moves to another position by other means than scrolling. */
  readonly leave: () => void;
}

/**
 * Keeps a scrolled element at its end while the reader stays there. Only the reader stops it, by scrolling up, unfolding
 * or selecting something or moving there with the keyboard, because nothing may move while they read or click; content that grows or is laid
 * out late does not stop it. Observers report these changes, so nothing forces a layout. A change of `restart` begins following
 * again. `away`: something else, such as a search, has moved the reader.
 */
export function useFollow(restart: string, away: boolean): Follow {
  const log = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const [follows, setFollows] = useState(true);
  const [isAtEnd, setAtEnd] = useState(false);
  const following = useRef(true);
  const isReturning = useRef(false);
  const isAway = useRef(away);
  isAway.current = away;
  const set = (now: boolean): void => {
    following.current = now;
    isReturning.current = false;
    setFollows(now);
    if (now) end.current?.scrollIntoView({ block: 'end' });
  };
  useEffect(() => set(true), [restart]);
  // Before the next layout: sections that unfold for the search would otherwise scroll to the end.
  useLayoutEffect(() => {
    if (away) set(false);
  }, [away]);
  useEffect(() => {
    const [scroller, held, last] = [log.current, content.current, end.current];
    if (!scroller || !held || !last) return undefined;
    const grown = new ResizeObserver(() => {
      if (following.current) last.scrollIntoView({ block: 'end' });
    });
    grown.observe(held);
    // The composer below grows with its text and attachments.
    grown.observe(scroller);
    const listening = watchReader(scroller, last, {
      leave: () => set(false),
      onDown: () => (isReturning.current = true),
      onEnd: (isInSight) => {
        setAtEnd(isInSight);
        if (isInSight && isReturning.current && !following.current && !isAway.current) set(true);
      },
    });
    return () => {
      grown.disconnect();
      listening();
    };
  }, []);
  return { log, content, end, follows, isAtEnd, toEnd: () => set(true), leave: () => set(false) };
}

interface Heard {
  readonly leave: () => void;
  /** The reader may have begun to scroll down. */
  readonly onDown: () => void;
  /** The end has come into sight or gone out of it. */
  readonly onEnd: (isInSight: boolean) => void;
}

/**
 * Calls back when the reader leaves the end or scrolls down (wheel, keys, scroll bar), and when the end goes out of sight or
 * returns.
 */
function watchReader(scroller: HTMLElement, last: HTMLElement, { leave, onDown, onEnd }: Heard): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let dragging = false;
  const seen = new IntersectionObserver(
    (entries) => {
      const isAtEnd = entries.at(-1)?.isIntersecting === true;
      if (!isAtEnd && dragging) {
        leave();
        onDown();
      }
      onEnd(isAtEnd);
    },
    { root: scroller, rootMargin: `0px 0px ${NEAR} 0px` },
  );
  seen.observe(last);
  const onWheel = ({ deltaY }: WheelEvent): void => {
    if (deltaY < 0) leave();
    else onDown();
  };
  // A finger may move either way.
  const onTouch = (): void => {
    leave();
    onDown();
  };
  const onKey = ({ key, shiftKey }: KeyboardEvent): void => {
    if (UPWARD_KEYS.has(key) || (key === ' ' && shiftKey)) leave();
    else if (DOWNWARD_KEYS.has(key)) onDown();
  };
  // Before the unfolded text is laid out: otherwise its heading would scroll out of view.
  const onClick = ({ target }: MouseEvent): void => {
    if (target instanceof Element && target.closest('summary')) leave();
  };
  const onFocus = ({ target }: FocusEvent): void => {
    if (target !== scroller && target instanceof Element && target.matches(':focus-visible')) leave();
  };
  // A growing answer would move the text from under the pointer.
  const onSelection = (): void => {
    const selection = document.getSelection();
    if (selection && !selection.isCollapsed && scroller.contains(selection.anchorNode)) leave();
  };
  const onPointer = ({ target, button }: PointerEvent): void => {
    dragging = target === scroller;
    // The middle button scrolls as well.
    if (dragging || button === 1) onDown();
  };
  scroller.addEventListener('wheel', onWheel, { signal, passive: true });
  scroller.addEventListener('touchmove', onTouch, { signal, passive: true });
  scroller.addEventListener('keydown', onKey, { signal });
  scroller.addEventListener('click', onClick, { signal, capture: true });
  scroller.addEventListener('focusin', onFocus, { signal });
  scroller.addEventListener('pointerdown', onPointer, { signal });
  document.addEventListener('selectionchange', onSelection, { signal });
  window.addEventListener('pointerup', () => (dragging = false), { signal });
  return () => {
    ended.abort();
    seen.disconnect();
  };
}
