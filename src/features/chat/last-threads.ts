import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';
import type { StateStore } from '#shell/ports.ts';

const KEY = 'modelbench.chat.lastThreads';
/** The number of windows to remember. */
const most = 20;
const schema = v.array(v.strictTuple([v.string(), v.string()]));

/** The thread that the view of a window shows. */
export interface LastThread {
  readonly window: string;
  /** Returns `undefined` if the window has not shown a thread yet. */
  readonly get: () => string | undefined;
  readonly set: (key: string) => void;
}

/**
 * Remembers the thread that a window's chat view showed last. The page remembers it too, but VS Code may store a page's state
 * only seconds later, and a reload before that would show the previous thread.
 */
export function lastThread(state: StateStore, window: string): LastThread {
  const all = (): v.InferOutput<typeof schema> => parsed(schema, state.get(KEY)) ?? [];
  let own = all().find(([name]) => name === window)?.[1];
  return {
    window,
    get: () => own,
    set: (key) => {
      if (own === key) return;
      own = key;
      const others = all().filter(([name]) => name !== window);
      void state.set(KEY, [[window, key], ...others].slice(0, most));
    },
  };
}
