import type { ShowJoinGraph } from '#features/language/index.ts';
import type { JoinGraphDeps } from './join-graph.ts';

/** Loads the code that draws joins with the first picture. */
export function lazyJoinGraph(deps: JoinGraphDeps): ShowJoinGraph {
  return async (ask) => {
    const { showJoinGraph } = await import('#features/lineage/vscode/join-graph.ts');
    await showJoinGraph(deps, ask);
  };
}
