import type { DisposableStore } from '#base/disposable.ts';
import type { Reviews } from '#features/review/source.ts';
import type { ReviewDeps } from './deps.ts';

/** Returns an opener that loads the code of reviews with the first one. */
export function lazyReviews(deps: ReviewDeps, store: DisposableStore): Reviews {
  let opened: Promise<Reviews> | undefined;
  const open = (): Promise<Reviews> => {
    opened ??= import('#features/review/vscode/review-panels.ts').then(({ ReviewPanels }) =>
      store.add(new ReviewPanels(deps)),
    );
    return opened;
  };
  return {
    open: async (source) => (await open()).open(source),
    reveal: async (key) => opened !== undefined && (await opened).reveal(key),
  };
}
