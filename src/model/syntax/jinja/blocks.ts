import type { JinjaSpan } from './span.ts';
import type { SyntaxProblem } from '#model/syntax/tree.ts';

/** Statements that open a block, with the word that ends it. */
export const BLOCKS: Readonly<Record<string, string>> = {
  for: 'endfor',
  if: 'endif',
  macro: 'endmacro',
  call: 'endcall',
  filter: 'endfilter',
  block: 'endblock',
  with: 'endwith',
  autoescape: 'endautoescape',
};
const ENDS = new Set(Object.values(BLOCKS));
const SINGLE = new Set(['set', 'import', 'from', 'include', 'extends', 'do', 'endset', 'raw', 'endraw']);
interface Open {
  readonly span: JinjaSpan;
  /** Whether its `else` has occurred. */
  isLast: boolean;
}

/** Reports statements that are unclosed, unopened, misplaced or unknown. */
export function checkBlocks(spans: readonly JinjaSpan[]): SyntaxProblem[] {
  const open: Open[] = [];
  const statements = spans.filter(({ kind }) => kind === 'statement');
  const problems = statements.flatMap((span) => problem(span, complaint(span.word, span, open)));
  const unclosed = open.flatMap(({ span }) =>
    problem(span, `{% ${span.word} %} is never closed: add {% ${BLOCKS[span.word] ?? ''} %}.`),
  );
  return [...problems, ...unclosed];
}

function problem({ start, end }: JinjaSpan, message: string | undefined): SyntaxProblem[] {
  return message === undefined ? [] : [{ start, end, code: 'jinja-syntax', message }];
}

function complaint(word: string, span: JinjaSpan, open: Open[]): string | undefined {
  const last = open.at(-1);
  if (Object.hasOwn(BLOCKS, word)) open.push({ span, isLast: false });
  else if (ENDS.has(word)) {
    if (last === undefined || BLOCKS[last.span.word] !== word) return unopened(word, last?.span.word);
    open.pop();
  } else if (word === 'else' || word === 'elif') {
    const message = misplaced(word, last === undefined || last.isLast ? undefined : last.span.word);
    if (last && word === 'else') last.isLast = true;
    return message;
  } else if (!SINGLE.has(word)) return `'${word}' is not a statement that the template engine knows.`;
  return undefined;
}

function unopened(word: string, last: string | undefined): string {
  return last === undefined
    ? `{% ${word} %} has no block to close.`
    : `{% ${last} %} must be closed before {% ${word} %}.`;
}

/** Checks the position of `else`, which belongs to an `if` or a `for`, once and last, and of `elif`, which belongs to an `if`. */
function misplaced(word: 'else' | 'elif', block = ''): string | undefined {
  if (block === 'if' || (block === 'for' && word === 'else')) return undefined;
  return `{% ${word} %} must be inside ${word === 'else' ? '{% if %} or {% for %}' : '{% if %}'}.`;
}
