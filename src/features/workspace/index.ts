export type { Chosen } from './organise-items.ts';
