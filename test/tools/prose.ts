import { type Comment, parseSync, type TemplateLiteral, Visitor } from 'oxc-parser';

/** English text in a file. */
export interface Prose {
  readonly kind: 'comment' | 'text' | 'testName' | 'page';
  /** Counted from 1. */
  readonly line: number;
  /** One line, without comment markers and without code in backticks. */
  readonly text: string;
}

/**
 * Returns the prose of a file of the repository. For a Markdown page these are its lines without code; for a source file its
 * comments, the names of its tests, and every string of several words: the product's sentences are such strings, whichever
 * function they are passed to.
 */
export function proseOf(path: string, source: string): readonly Prose[] {
  if (path.endsWith('.md')) return pageLines(source);
  if (path.endsWith('.json')) return source.split('\n').map((text, at) => ({ kind: 'page', line: at + 1, text }));
  const { program, comments } = parseSync(path, source);
  const found: { readonly kind: Prose['kind']; readonly start: number; readonly text: string }[] = [];
  const add = (kind: Prose['kind'], start: number, text: string): void => void found.push({ kind, start, text });
  for (const { start, text } of joined(comments, source)) add('comment', start, text);
  new Visitor({
    Literal: ({ value, start }) => {
      if (typeof value === 'string') add('text', start, value);
    },
    TemplateLiteral: (node) => add('text', node.start, literalText(node)),
    JSXText: ({ value, start }) => add('text', start, value),
    CallExpression: ({ callee, arguments: [name] }) => {
      if (!isTest(source.slice(callee.start, callee.end)) || !name) return;
      if (name.type === 'Literal' && typeof name.value === 'string') add('testName', name.start, name.value);
      if (name.type === 'TemplateLiteral') add('testName', name.start, literalText(name));
    },
  }).visit(program);
  return found.map(({ kind, start, text }) => ({ kind, line: lineOf(source, start), text: plain(text) }));
}

/** Returns a template literal with `…` for each value. */
function literalText({ quasis }: TemplateLiteral): string {
  return quasis.map(({ value }) => value.cooked).join('…');
}

/** Whether a callee defines a test: `it`, `describe.each([…])`, also with a table after it. */
function isTest(callee: string): boolean {
  return /^(?:describe|it|test|suite)(?![\w$])/.test(callee);
}

/** Returns comments; consecutive line comments are joined into one text. */
function joined(comments: readonly Comment[], source: string): readonly { start: number; text: string }[] {
  const blocks: { start: number; end: number; text: string; isLine: boolean }[] = [];
  for (const { type, value, start, end } of comments) {
    const before = blocks.at(-1);
    const follows = before?.isLine === true && type === 'Line' && /^\s*$/.test(source.slice(before.end, start));
    if (follows) Object.assign(before, { end, text: `${before.text} ${value}` });
    else blocks.push({ start, end, text: value, isLine: type === 'Line' });
  }
  return blocks;
}

function pageLines(page: string): readonly Prose[] {
  const text = page.replaceAll(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, (code) => code.replaceAll(/[^\n]/g, ''));
  return text.split('\n').map((line, at) => ({ kind: 'page', line: at + 1, text: plain(line) }));
}

function plain(text: string): string {
  return text
    .replaceAll(/`[^`\n]*`/g, '`…`')
    .replaceAll(/\s*\n\s*\*?\s*/g, ' ')
    .trim();
}

function lineOf(source: string, offset: number): number {
  let line = 1;
  for (let at = source.indexOf('\n'); at !== -1 && at < offset; at = source.indexOf('\n', at + 1)) line++;
  return line;
}
