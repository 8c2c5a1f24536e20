import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { findRanges } from '../find.ts';
import type { ChatModel } from '../model.ts';
import { useActions } from './actions.ts';
import { IconButton } from './icons.tsx';

const ALL = 'chat-find';
const CURRENT = 'chat-find-current';

/** Finds text in the thread that is shown; hits are highlighted without changing the elements. */
export function FindBar({ model }: { readonly model: ChatModel }) {
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  const [current, setCurrent] = useState(0);
  const { earlier = 0 } = model.thread.value ?? {};
  const hits = useHits(query);
  // The number of hits may drop while the last one is current.
  const at = Math.min(current, Math.max(0, hits.length - 1));
  useEffect(() => field.current?.focus(), []);
  // At once, not after the next frame: a late highlight would outlive the bar.
  useLayoutEffect(() => mark(hits, at), [hits, at]);
  useLayoutEffect(() => {
    model.findQuery.value = query.toLowerCase();
  }, [query]);
  useLayoutEffect(
    () => () => {
      clear();
      model.findQuery.value = '';
    },
    [],
  );

  const found = query === '' ? '' : hits.length === 0 ? 'No results' : `${at + 1} of ${hits.length}`;
  useEffect(() => {
    model.announcement.value = found;
  }, [found]);

  const go = (step: number): void => {
    if (hits.length > 0) setCurrent((at + step + hits.length) % hits.length);
  };
  const close = (): void => {
    model.finds.value = false;
    model.hostRequest.value = 'focus';
  };
  return (
    <search class="find">
      <input
        ref={field}
        type="search"
        dir="auto"
        placeholder="Find"
        aria-label="Find in this thread"
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setCurrent(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          close();
        }}
      />
      <span class="hint">{found}</span>
      {query !== '' && earlier > 0 && <Earlier count={earlier} />}
      <IconButton icon="up" label="Previous" disabled={hits.length === 0} onClick={() => go(-1)} />
      <IconButton icon="down" label="Next" disabled={hits.length === 0} onClick={() => go(1)} />
      <IconButton icon="close" label="Close Find" onClick={close} />
    </search>
  );
}

/** States that turns which are not shown yet are not searched, and offers to show them. */
function Earlier({ count }: { readonly count: number }) {
  const { post } = useActions();
  return (
    <button type="button" class="link" onClick={() => post({ type: 'showEarlier' })}>
      Search {count} earlier
    </button>
  );
}

/** Returns the hits in what is shown, also as it changes: answers grow, sections unfold, rows arrive. */
function useHits(query: string): readonly Range[] {
  const [hits, setHits] = useState<readonly Range[]>([]);
  useEffect(() => {
    const log = document.querySelector('.log-content');
    if (!log) return undefined;
    const search = (): void => setHits(findRanges(log, query));
    search();
    const changed = new MutationObserver(search);
    changed.observe(log, { childList: true, characterData: true, subtree: true });
    return () => changed.disconnect();
  }, [query]);
  return hits;
}

function mark(hits: readonly Range[], current: number): void {
  const hit = hits[current];
  CSS.highlights.set(ALL, highlightOf(hits));
  CSS.highlights.set(CURRENT, highlightOf(hit ? [hit] : []));
  hit?.startContainer.parentElement?.scrollIntoView({ block: 'center' });
}

function highlightOf(ranges: readonly Range[]): Highlight {
  const highlight = new Highlight();
  for (const range of ranges) highlight.add(range);
  return highlight;
}

function clear(): void {
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
}
