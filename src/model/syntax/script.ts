import type { Entity } from './entity.ts';
import type { SyntaxProblem } from './tree.ts';

export interface ParsedScript {
  readonly entities: readonly Entity[];
  readonly problems: readonly SyntaxProblem[];
  readonly locals: ReadonlySet<string>;
}
export function parseScript(_text: string): ParsedScript {
  return { entities: [], problems: [], locals: new Set() };
}
