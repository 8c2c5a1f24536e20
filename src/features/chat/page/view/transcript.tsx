import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ChatModel } from '../model.ts';
import { useActions } from './actions.ts';
import { Empty } from './empty.tsx';
import { useFollow } from './follow.ts';
import { Icon } from './icons.tsx';
import { Turn } from './turn.tsx';
import { useDrawnTurns } from './use-drawn-turns.ts';

/** The turns. Follows the answer as long as the reader stays at the end, and never pulls a reader away. */
export function Transcript({ model }: { readonly model: ChatModel }) {
  const { post } = useActions();
  const thread = model.thread.value;
  const turns = thread?.turns ?? [];
  const lastTurn = `${thread?.key} ${turns.at(-1)?.head.id}`;
  const { log, content, end, follows, isAtEnd, toEnd, leave } = useFollow(lastTurn, model.findQuery.value !== '');
  const drawn = useDrawnTurns(thread?.key, turns, model.finds.value);
  // The turn at the top stays there when earlier turns are added above it.
  const top = useRef<Element | null>(null);
  useLayoutEffect(() => {
    top.current?.scrollIntoView({ block: 'start' });
    top.current = null;
  }, [turns[0]]);
  const showEarlier = (): void => {
    leave();
    top.current = content.current?.querySelector('.turn') ?? null;
    post({ type: 'showEarlier' });
  };
  return (
    <div class="transcript">
      <div ref={log} class="log" role="log" aria-live="off" aria-label="Conversation" tabIndex={0}>
        <div ref={content} class="log-content">
          {thread && turns.length === 0 && <Empty model={model} />}
          {thread && thread.earlier > 0 && (
            <button type="button" class="secondary earlier" onClick={showEarlier}>
              Show {thread.earlier} earlier
            </button>
          )}
          {turns.map((turn, at) => (
            <Turn
              key={turn.head.id}
              turn={turn}
              isDrawn={drawn.has(turn.head.id)}
              isLast={at === turns.length - 1}
              stopping={model.stopping.value === turn.head.id}
            />
          ))}
        </div>
        <div ref={end} />
      </div>
      {!follows && !isAtEnd && turns.length > 0 && (
        <button type="button" class="to-end" title="Go to the End" aria-label="Go to the End" onClick={toEnd}>
          <Icon name="down" />
        </button>
      )}
    </div>
  );
}
