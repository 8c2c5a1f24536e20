import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { findRanges } from '../find.ts';
import type { ChatModel } from '../model.ts';
import { IconButton } from './icons.tsx';

const ALL = 'chat-find';
const CURRENT = 'chat-find-current';

/** Finds words in the thread that is shown; hits are marked without touching the elements. */
export function FindBar({ model }: { readonly model: ChatModel }) {
  const field = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const [current, setCurrent] = useState(0);
  const thread = model.thread.value;
  const [hits, setHits] = useState<readonly Range[]>([]);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    const log = document.querySelector('.log-content');
    setHits(log ? findRanges(log, words) : []);
  }, [words, thread]);
  // At once, not after the next frame: a late mark would outlive the bar.
  useLayoutEffect(() => mark(hits, current), [hits, current]);
  useLayoutEffect(() => clear, []);

  const found = words === '' ? '' : hits.length === 0 ? 'No results' : `${current + 1} of ${hits.length}`;
  useEffect(() => {
    model.announcement.value = found;
  }, [found]);

  const go = (step: number): void => {
    if (hits.length > 0) setCurrent((current + step + hits.length) % hits.length);
  };
  const close = (): void => {
    model.finds.value = false;
    model.asked.value = 'focus';
  };
  return (
    <search class="find">
      <input
        ref={field}
        type="search"
        placeholder="Find in this thread"
        aria-label="Find in this thread"
        value={words}
        onInput={(event) => {
          setWords(event.currentTarget.value);
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
      <IconButton icon="up" label="Previous" disabled={hits.length === 0} onClick={() => go(-1)} />
      <IconButton icon="down" label="Next" disabled={hits.length === 0} onClick={() => go(1)} />
      <IconButton icon="close" label="Close find" onClick={close} />
    </search>
  );
}

function mark(hits: readonly Range[], current: number): void {
  const hit = hits[current];
  CSS.highlights.set(ALL, new Highlight(...hits));
  CSS.highlights.set(CURRENT, new Highlight(...(hit ? [hit] : [])));
  hit?.startContainer.parentElement?.scrollIntoView({ block: 'center' });
}

function clear(): void {
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
}
