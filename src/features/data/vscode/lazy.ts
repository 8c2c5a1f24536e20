import type { DisposableStore } from '#base/disposable.ts';
import type { LazyQueries } from '#features/data/queries.ts';
import type { QueryDeps } from './open-queries.ts';

/** Returns a function that creates the query service on first use. */
export function lazyQueries(deps: QueryDeps, store: DisposableStore): LazyQueries {
  let opened: ReturnType<LazyQueries> | undefined;
  return () => {
    opened ??= import('#features/data/vscode/open-queries.ts').then((module) => module.openQueries(deps, store));
    return opened;
  };
}
