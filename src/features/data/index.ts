export { loadRows, statementOf, valueLines } from './ask-data.ts';
export { environmentOf, type QueryEnvironment } from './environments.ts';
export { noTarget } from './no-target.ts';
export type { LazyQueries, Queries } from './queries.ts';
export type { EnvironmentChoice, QueryOutcome, QueryService, QueryTarget, QueryOptions } from './query-service.ts';
export type { QueryTargets } from './query-targets.ts';
export { runAsked } from './run-asked.ts';
export { type ResultOutputs, ResultSurface } from './result-surface.ts';
export type { PlaygroundOpening, ShowPlayground } from './show-playground.ts';
