import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatModel } from '../model.ts';
import { useActions } from './actions.ts';
import { Empty } from './empty.tsx';
import { Icon } from './icons.tsx';
import { Turn } from './turn.tsx';

/** How near to the end, in pixels, still counts as reading along. */
const NEAR = 48;

/** The turns. It follows the answer as long as the reader stays at the end, and never pulls a reader away. */
export function Transcript({ model }: { readonly model: ChatModel }) {
  const { post } = useActions();
  const log = useRef<HTMLDivElement>(null);
  const [follows, setFollows] = useState(true);
  const thread = model.thread.value;
  const turns = thread?.turns ?? [];
  const lastTurn = turns.at(-1)?.head.id;

  useEffect(() => setFollows(true), [thread?.key, lastTurn]);
  useLayoutEffect(() => {
    if (follows) log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [turns, follows]);

  const onScroll = (): void => {
    const element = log.current;
    if (element) setFollows(element.scrollHeight - element.scrollTop - element.clientHeight < NEAR);
  };
  return (
    <div class="transcript">
      <div
        ref={log}
        class="log"
        role="log"
        aria-live="off"
        aria-label="Conversation"
        tabIndex={0}
        onScroll={onScroll}
        onWheel={(event) => {
          if (event.deltaY < 0) setFollows(false);
        }}
      >
        {thread && turns.length === 0 && <Empty model={model} />}
        {thread && thread.earlier > 0 && (
          <button type="button" class="secondary earlier" onClick={() => post({ type: 'showEarlier' })}>
            Show {thread.earlier} earlier
          </button>
        )}
        {turns.map((turn, at) => (
          <Turn
            key={turn.head.id}
            turn={turn}
            isLast={at === turns.length - 1}
            stopping={model.stopping.value === turn.head.id}
          />
        ))}
      </div>
      {!follows && turns.length > 0 && (
        <button
          type="button"
          class="to-end"
          title="Go to the end"
          aria-label="Go to the end"
          onClick={() => setFollows(true)}
        >
          <Icon name="down" />
        </button>
      )}
    </div>
  );
}
