import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { baseName, dirName } from '#base/path.ts';
import { formatBytes } from '#base/words.ts';
import type { ReviewRow, ReviewState, RowKind } from '#features/review/messages.ts';
import { useRowsInSight } from '#shared/page/rows-in-sight.ts';
import { visible, visibleName } from '#shared/page/visible.ts';
import { type Entry, type GroupEntry, type Tick, tickOf } from './entries.ts';
import type { ReviewModel } from './model.ts';

const rowHeight = 24;
/** The number of rows to draw above and below the visible ones. */
const spare = 12;

interface Shown {
  readonly model: ReviewModel;
  readonly state: ReviewState;
}

/**
 * Shows the files in groups; draws only the visible rows. The list itself has the focus, and its attributes name the current row.
 */
export function List({ model, state }: Shown) {
  const scroller = useRef<HTMLDivElement>(null);
  const empty = useRef<HTMLParagraphElement>(null);
  const entries = model.entries.value;
  const index = model.index.value;
  const rows = useRowsInSight({ scroller, count: entries.length, rowHeight, spare });
  const scrolled = useAnchor(scroller, model);
  useInSight(scroller, index);
  useFirstFocus(entries.length > 0 ? scroller : empty);
  if (entries.length === 0) {
    return (
      <p ref={empty} class="empty hint" tabIndex={-1}>
        {model.filter.value === '' ? state.busy || state.empty : 'No file matches the filter.'}
      </p>
    );
  }
  return (
    <div
      ref={scroller}
      class="list"
      role="tree"
      tabIndex={0}
      aria-label="Files"
      aria-activedescendant={index < 0 ? undefined : `entry-${index}`}
      onScroll={({ currentTarget: box }) => {
        rows.scrolled(box.scrollTop);
        scrolled(box.scrollTop);
      }}
      onKeyDown={(event) => {
        if (!event.ctrlKey && !event.metaKey && !event.altKey && act(model, event.key, scroller.current)) {
          event.preventDefault();
        }
      }}
    >
      <div class="all" style={{ height: `${entries.length * rowHeight}px` }}>
        <div class="drawn" style={{ top: `${rows.first * rowHeight}px` }}>
          {entries.slice(rows.first, rows.last).map((entry, at) => (
            <Line key={entry.id} model={model} entry={entry} index={rows.first + at} />
          ))}
        </div>
      </div>
    </div>
  );
}

/** Runs the action of a key in the list; returns whether the key has one. */
function act(model: ReviewModel, key: string, box: HTMLElement | null): boolean {
  const page = Math.max(1, Math.floor((box?.clientHeight ?? 0) / rowHeight) - 1);
  const { current } = model;
  const index = model.index.value;
  switch (key) {
    case 'ArrowDown':
    case 'j':
      model.moveTo(index + 1);
      return true;
    case 'ArrowUp':
    case 'k':
      model.moveTo(index - 1);
      return true;
    case 'PageDown':
      model.moveTo(index + page);
      return true;
    case 'PageUp':
      model.moveTo(index - page);
      return true;
    case 'Home':
      model.moveTo(0);
      return true;
    case 'End':
      model.moveTo(model.entries.value.length - 1);
      return true;
    default:
      return actOnTicks(model, key) || (current !== undefined && actOn(model, key, current));
  }
}

function actOnTicks(model: ReviewModel, key: string): boolean {
  switch (key) {
    case 'a':
      model.tickAll(true);
      return true;
    case 'n':
      model.tickAll(false);
      return true;
    case 'u':
      model.moveToUnticked();
      return true;
    default:
      return false;
  }
}

function actOn(model: ReviewModel, key: string, entry: Entry): boolean {
  switch (key) {
    case ' ':
      model.toggle(entry);
      return true;
    case 'Enter':
      if (entry.type === 'row') model.post({ type: 'open', id: entry.id });
      else model.fold(entry, !entry.isOpen);
      return true;
    case 'w':
      if (entry.type === 'row' && model.state.value?.explains) model.post({ type: 'explain', id: entry.id });
      return true;
    case 'ArrowLeft':
      if (entry.type === 'group') model.fold(entry, false);
      else
        model.moveTo(model.entries.value.findLastIndex(({ type }, at) => type === 'group' && at < model.index.value));
      return true;
    case 'ArrowRight':
      model.fold(entry, true);
      return true;
    default:
      return false;
  }
}

interface LineProps<E> {
  readonly model: ReviewModel;
  readonly entry: E;
  readonly index: number;
}

function Line({ model, entry, index }: LineProps<Entry>) {
  const tick = tickOf(entry, model.ticked.value);
  return (
    <div
      id={`entry-${index}`}
      class={`entry ${entry.type}`}
      role="treeitem"
      aria-level={entry.type === 'group' ? 1 : 2}
      aria-setsize={model.entries.value.length}
      aria-posinset={index + 1}
      aria-selected={index === model.index.value}
      aria-checked={tick}
      aria-expanded={entry.type === 'group' ? entry.isOpen : undefined}
      aria-label={entry.type === 'group' ? visible(`${entry.label}, ${entry.count}`) : spoken(entry.row)}
      title={entry.type === 'row' ? titleOf(entry.row) : undefined}
      onClick={() => model.moveTo(index)}
      onDblClick={() => {
        if (entry.type === 'row') model.post({ type: 'open', id: entry.id });
      }}
    >
      <span
        class="tick"
        onClick={(event) => {
          event.stopPropagation();
          model.moveTo(index);
          model.toggle(entry);
        }}
        onDblClick={(event) => event.stopPropagation()}
      >
        <Box tick={tick} />
      </span>
      {entry.type === 'group' ? <Heading model={model} entry={entry} index={index} /> : <File row={entry.row} />}
    </div>
  );
}

/** Draws a check box; the row itself announces its state. */
function Box({ tick }: { readonly tick: Tick }) {
  if (tick === undefined) return null;
  return (
    <span class={`box ${String(tick)}`} aria-hidden="true">
      {tick === 'mixed' ? '–' : tick ? '✓' : ''}
    </span>
  );
}

function Heading({ model, entry }: LineProps<GroupEntry>) {
  return (
    <span class="heading" onClick={() => model.fold(entry, !entry.isOpen)}>
      <span aria-hidden="true">{entry.isOpen ? '▾' : '▸'}</span> <strong>{visible(entry.label)}</strong>{' '}
      <span class="hint">{entry.count}</span>
    </span>
  );
}

/** Draws a row. Only its name is text, because the row's label announces the rest. */
function File({ row }: { readonly row: ReviewRow }) {
  const rest = [row.from === undefined ? '' : `from ${row.from}`, row.note ?? '', dirName(row.path)];
  return (
    <>
      <span class={`aside kind ${row.kind}`} data-text={letters[row.kind]} />
      <span class={`name ${row.kind}`}>{visibleName(baseName(row.path))}</span>
      <span class="aside rest hint" data-text={visibleName(rest.filter(Boolean).join(' · '))} />
      {row.size !== undefined && <span class="aside size hint" data-text={formatBytes(row.size)} />}
    </>
  );
}

const letters: Readonly<Record<RowKind, string>> = {
  add: 'A',
  change: 'M',
  rename: 'R',
  delete: 'D',
  conflict: '!',
  none: '–',
};

const kindNames: Readonly<Record<RowKind, string>> = {
  add: 'added',
  change: 'modified',
  rename: 'renamed',
  delete: 'deleted',
  conflict: 'conflict',
  none: 'not included',
};

function factsOf({ kind, from, size, note }: ReviewRow): readonly string[] {
  return [
    from === undefined ? kindNames[kind] : `renamed from ${from}`,
    ...(size === undefined ? [] : [formatBytes(size)]),
    ...(note === undefined ? [] : [note]),
  ];
}

function spoken(row: ReviewRow): string {
  return visibleName([row.path, ...factsOf(row)].join(', '));
}

function titleOf(row: ReviewRow): string {
  return [row.path, ...factsOf(row)].map(visibleName).join('\n');
}

/** Keeps the row at the top of the list in its position when rows above it are added or removed. */
function useAnchor(scroller: RefObject<HTMLDivElement | null>, model: ReviewModel): (top: number) => void {
  const anchor = useRef({ id: '', offset: 0 });
  const entries = model.entries.value;
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || box.scrollTop === 0) return;
    const at = entries.findIndex(({ id }) => id === anchor.current.id);
    if (at >= 0) box.scrollTop = at * rowHeight + anchor.current.offset;
  }, [scroller, entries]);
  return (top) => {
    const at = Math.floor(top / rowHeight);
    anchor.current = { id: model.entries.value[at]?.id ?? '', offset: top - at * rowHeight };
  };
}

/** Scrolls only as far as needed to show the cursor. */
function useInSight(scroller: RefObject<HTMLDivElement | null>, index: number): void {
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || index < 0) return;
    const [top, bottom] = [index * rowHeight, (index + 1) * rowHeight];
    if (top < box.scrollTop) box.scrollTop = top;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
  }, [scroller, index]);
}

/**
 * Focuses an empty message field when the page opens, and whenever the tab gets the focus and nothing in it has it; otherwise
 * focuses the list, or the text that is shown instead of it.
 */
function useFirstFocus(shown: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const focus = (): void => {
      // The page must not take the focus from an editor that the user is typing in.
      if (!document.hasFocus()) return;
      const { activeElement: active } = document;
      if (active === null || active === document.body) (unwrittenMessage() ?? shown.current)?.focus();
    };
    focus();
    window.addEventListener('focus', focus);
    return () => window.removeEventListener('focus', focus);
  }, [shown]);
}

function unwrittenMessage(): HTMLElement | undefined {
  const field = document.querySelector<HTMLTextAreaElement>('.field textarea');
  return field?.value === '' ? field : undefined;
}
