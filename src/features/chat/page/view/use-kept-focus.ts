import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** The element that had the keyboard focus, and what was around it. */
interface Spot {
  readonly element: Element;
  /** The entry of a list that the element was in, its list, and the positions of both, counted from 0. */
  readonly item: Element | null;
  readonly list: Element | null;
  readonly itemAt: number;
  readonly elementAt: number;
  /** The areas around it that can take the focus, innermost first. */
  readonly areas: readonly Element[];
}

const FOCUSABLE = 'button:not([disabled]), input, select, textarea, summary, [tabindex="0"]';
const AREAS = '[tabindex="0"], .threads, .composer';

/**
 * Keeps the keyboard focus near an element that disappears while it has the focus: a deleted thread, an answered question, a button
 * whose work is done. Otherwise the focus would be nowhere, and the next key would begin at the top of the page.
 */
export function useKeptFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = page.current;
    if (!root) return undefined;
    let spot: Spot | undefined;
    const onFocusIn = ({ target }: FocusEvent): void => {
      spot = target instanceof Element ? spotOf(target) : undefined;
    };
    const restore = (): void => {
      const isNowhere = document.activeElement === null || document.activeElement === document.body;
      // In another window or editor, the focus is the user's: it is restored when they come back.
      if (!spot || spot.element.isConnected || !isNowhere || !document.hasFocus()) return;
      nearTo(spot, root)?.focus();
    };
    root.addEventListener('focusin', onFocusIn);
    window.addEventListener('focus', restore);
    const removals = new MutationObserver(restore);
    removals.observe(root, { childList: true, subtree: true });
    return () => {
      root.removeEventListener('focusin', onFocusIn);
      window.removeEventListener('focus', restore);
      removals.disconnect();
    };
  }, []);
}

function spotOf(element: Element): Spot {
  const item = element.closest('li');
  const list = item?.parentElement ?? null;
  const areas: Element[] = [];
  for (let area = element.parentElement?.closest(AREAS); area; area = area.parentElement?.closest(AREAS))
    areas.push(area);
  return {
    element,
    item,
    list,
    itemAt: item && list ? [...list.children].indexOf(item) : 0,
    elementAt: item ? focusableIn(item).indexOf(element as HTMLElement) : 0,
    areas,
  };
}

/** Returns the same action of the same or the next entry, else the area around the list. */
function nearTo({ item, list, itemAt, elementAt, areas }: Spot, root: HTMLElement): HTMLElement | undefined {
  const next = item?.isConnected
    ? item
    : list?.isConnected
      ? list.children[Math.min(itemAt, list.children.length - 1)]
      : null;
  const actions = next ? focusableIn(next) : [];
  const action = actions[Math.min(elementAt, actions.length - 1)];
  if (action) return action;
  const area = areas.find((each) => each.isConnected);
  if (area?.matches('[tabindex="0"]')) return area as HTMLElement;
  const field = area?.querySelector<HTMLElement>('textarea, input');
  return field ?? root.querySelector<HTMLElement>('textarea') ?? undefined;
}

function focusableIn(element: Element): readonly HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>(FOCUSABLE)];
}
