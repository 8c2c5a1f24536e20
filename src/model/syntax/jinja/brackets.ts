import type { JinjaSpan } from './span.ts';
import type { SyntaxProblem } from '#model/syntax/tree.ts';

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** A quoted text or a bracket. */
const PIECE = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|["'()[\]{}]/gs;

/** Reports mismatched brackets and quotes of one template tag. */
export function checkBrackets({ kind, start, end, word }: JinjaSpan, source: string): SyntaxProblem[] {
  if (kind === 'comment' || word === 'raw') return [];
  const inner = source.slice(start + 2, end - 2);
  const at = unmatched(inner);
  if (at !== -1)
    return [problem(start + 2 + at, 1, `This \`${inner[at] ?? ''}\` has no matching bracket in this template tag.`)];
  return [];
}

function problem(start: number, length: number, message: string): SyntaxProblem {
  return { start, end: start + length, code: 'jinja-syntax', message };
}

/** Returns the offset of the first bracket or quote without a counterpart; -1 if all match. */
function unmatched(inner: string): number {
  const open: { readonly at: number; readonly closer: string }[] = [];
  for (const { 0: piece, index } of inner.matchAll(PIECE)) {
    if (piece.length > 1) continue;
    const closer = CLOSERS[piece];
    if (closer !== undefined) open.push({ at: index, closer });
    else if (open.pop()?.closer !== piece) return index;
  }
  return open.at(-1)?.at ?? -1;
}
