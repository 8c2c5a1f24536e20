import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ViewTurn } from '#features/chat/messages.ts';

/** How many turns are drawn at once: more than a view shows. */
const AT_ONCE = 6;

/**
 * Returns the ids of the turns whose answers are drawn. A long thread opens with its last ones; the others follow upwards, one in
 * each frame, so that neither opening nor typing waits for answers out of sight. With `all`, such as for a search, none waits.
 */
export function useDrawnTurns(
  thread: string | undefined,
  turns: readonly ViewTurn[],
  all: boolean,
): ReadonlySet<string> {
  const drawn = useMemo(() => new Set<string>(), [thread]);
  const [, drawAgain] = useState(0);
  for (const { head } of all ? turns : turns.slice(-AT_ONCE)) drawn.add(head.id);
  const next = turns.findLast(({ head }) => !drawn.has(head.id))?.head.id;
  useEffect(() => {
    if (next === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // After the frame, so that it is shown first.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => {
        drawn.add(next);
        drawAgain((times) => times + 1);
      }, 0);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [next]);
  return drawn;
}
