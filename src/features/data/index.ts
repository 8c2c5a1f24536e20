export { environmentOf, type QueryEnvironment } from './environments.ts';
export { queryGlob } from './query-glob.ts';
export { noTarget } from './no-target.ts';
export type { LazyQueries, Queries } from './queries.ts';
export type { EnvironmentTarget, QueryOutcome, QueryService, QueryTarget, RunOptions } from './query-service.ts';
export type { QueryTargets } from './query-targets.ts';
export { runAsked } from './run-asked.ts';
export { type ResultOutputs, ResultSurface } from './result-surface.ts';
export type { PlaygroundOpening, ShowPlayground } from './show-playground.ts';
