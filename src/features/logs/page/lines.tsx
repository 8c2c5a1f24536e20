import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { LogState } from '#features/logs/messages.ts';
import { useRowsInSight } from '#shared/page/rows-in-sight.ts';
import { visible } from '#shared/page/visible.ts';
import type { LogModel } from './model.ts';
import { markedSegments, type LineSegment, lineSegments } from './line-segments.ts';

const lineHeight = 18;
/** The number of lines to render outside the visible area. */
const spare = 20;

/** The visible lines of a log of any length; the newest line stays visible until the user scrolls up. */
export function Lines({ model, state }: { readonly model: LogModel; readonly state: LogState }) {
  const scroller = useRef<HTMLDivElement>(null);
  const top = useRef(0);
  const { from, to } = state;
  const rows = useRowsInSight({ scroller, count: to - from, rowHeight: lineHeight, spare });
  const [first, last] = [from + rows.first, from + rows.last];
  useStandStill(scroller, model, state);
  useEffect(() => model.want(first, last), [model, first, last, state.version, model.lines.value]);

  const indexes = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
  return (
    <div
      ref={scroller}
      class="lines"
      tabIndex={0}
      role="region"
      aria-label="Lines of the log"
      onScroll={({ currentTarget: box }) => {
        rows.scrolled(box.scrollTop);
        // New lines may have been added below since the last scroll, so only scrolling up turns off following.
        const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - lineHeight;
        if (isAtEnd || box.scrollTop < top.current) model.follows.value = isAtEnd;
        top.current = box.scrollTop;
      }}
    >
      <div class="all" style={{ height: `${(to - from) * lineHeight}px` }}>
        <div class="drawn" style={{ top: `${(first - from) * lineHeight}px` }}>
          {indexes.map((index) => (
            <Line key={index} model={model} index={index} />
          ))}
        </div>
      </div>
    </div>
  );
}

function Line({ model, index }: { readonly model: LogModel; readonly index: number }) {
  const [text, level] = model.line(index) ?? ['…', 'info'];
  const marks = model.marks(index);
  return (
    <div class={`line ${level}${model.found.value === index ? ' found' : ''}`}>
      {lineSegments(text).map((part, at) => {
        const { file } = part;
        return file ? (
          <button key={at} type="button" class="link" onClick={() => model.post({ type: 'open', ...file })}>
            <Marked part={part} marks={marks} />
          </button>
        ) : (
          <Marked key={at} part={part} marks={marks} />
        );
      })}
    </div>
  );
}

/** A segment of a line with highlighted matches of the search. */
function Marked({ part, marks }: { readonly part: LineSegment; readonly marks: readonly number[] }) {
  return (
    <>
      {markedSegments(part, marks).map((text, at) =>
        at % 2 === 1 ? <mark key={at}>{visible(text)}</mark> : visible(text),
      )}
    </>
  );
}

/**
 * Keeps the newest line visible while the log is followed; otherwise keeps the visible lines in place when old ones are dropped.
 */
function useStandStill(
  scroller: RefObject<HTMLDivElement | null>,
  model: LogModel,
  { from, to, version }: LogState,
): void {
  const before = useRef({ from, version });
  const found = model.found.value;
  const follows = model.follows.value;
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const gone = before.current.version === version ? from - before.current.from : 0;
    before.current = { from, version };
    if (follows) box.scrollTop = box.scrollHeight;
    else if (gone > 0) box.scrollTop = Math.max(0, box.scrollTop - gone * lineHeight);
  }, [scroller, follows, from, to, version]);
  useEffect(() => {
    const box = scroller.current;
    if (!box || found === undefined || found < 0) return;
    model.follows.value = false;
    box.scrollTop = Math.max(0, (found - before.current.from) * lineHeight - box.clientHeight / 2);
  }, [scroller, model, found]);
}
