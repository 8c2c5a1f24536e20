import type { ShapeName } from './types.ts';

/** The shapes of groups of views: the engine evaluates what they include otherwise than what a view does. */
export const GROUP_SHAPES: ReadonlySet<string> = new Set<ShapeName>(['viewGroup', 'nestedViewGroup']);
