import { printable } from './printable.ts';
import type { CliEnvironment } from './environment.ts';

interface Progress {
  readonly report: (message: string) => void;
  /** Removes the last message. */
  readonly end: () => void;
}

/** Shows one line of progress if a user watches, on a terminal that can remove it again; a log gets none. */
export function showProgress({ stderr, isInteractive, variables }: CliEnvironment): Progress {
  const isShowing = isInteractive && variables['TERM'] !== 'dumb';
  let isShown = false;
  const clear = (): void => {
    if (isShown) stderr('\r\u001B[K');
    isShown = false;
  };
  return {
    report: (message) => {
      if (!isShowing) return;
      clear();
      stderr(printable(message, {}));
      isShown = true;
    },
    end: clear,
  };
}
