export type { SearchDeps } from './deps.ts';
export { chosenItems } from './organise-items.ts';
