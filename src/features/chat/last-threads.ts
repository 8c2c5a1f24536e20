import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';
import type { StateStore } from '#shell/ports.ts';

const KEY = 'modelbench.chat.lastThreads';
/** How many windows are remembered. */
const most = 20;
const schema = v.array(v.strictTuple([v.string(), v.string()]));

/** The thread that the view of a window shows. */
export interface LastThread {
  /** `undefined`: none was shown yet. */
  readonly get: () => string | undefined;
  readonly set: (key: string) => void;
}

/**
 * Remembers the thread that the chat view of a window showed last. The page remembers it, too, but VS Code may store what a page
 * remembers only seconds later, and a reload before that would show the thread before it.
 */
export function lastThread(state: StateStore, window: string): LastThread {
  const all = (): v.InferOutput<typeof schema> => parsed(schema, state.get(KEY)) ?? [];
  let own = all().find(([name]) => name === window)?.[1];
  return {
    get: () => own,
    set: (key) => {
      if (own === key) return;
      own = key;
      const others = all().filter(([name]) => name !== window);
      void state.set(KEY, [[window, key], ...others].slice(0, most));
    },
  };
}
