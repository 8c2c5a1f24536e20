import type { Code } from './codes.ts';

const codes: ReadonlySet<unknown> = new Set<Code>([
  'yaml-syntax',
  'script-syntax',
  'jinja-syntax',
  'tab-indent',
  'conflict-marker',
]);

/** Whether a file with a problem of this code cannot be read as a whole (docs/model-language.md#diagnostics). */
export function isUnreadableCode(code: unknown): boolean {
  return codes.has(code);
}
