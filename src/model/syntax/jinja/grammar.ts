import { JinjaMistake, JinjaReader } from './expression.ts';
import { tokensOf } from './tokens.ts';
import type { JinjaSpan } from './span.ts';
import type { SyntaxProblem } from '#model/syntax/tree.ts';

/** Readers of what follows the word of a statement; unlisted statements are not read. */
const STATEMENTS: Readonly<Record<string, (read: JinjaReader) => void>> = {
  if: (read) => read.expression(false),
  elif: (read) => read.expression(false),
  else: () => undefined,
  for: loop,
  set: assignment,
  with: (read) => {
    while (!read.isAtEnd) {
      targets(read);
      read.need('=');
      read.expression();
      if (!read.isAtEnd) read.need(',');
    }
  },
  include: (read) => {
    read.expression();
    if (read.skip('ignore')) read.need('missing');
  },
  import: (read) => {
    read.expression();
    read.need('as');
    read.name();
  },
  from: (read) => {
    read.expression();
    read.need('import');
    while (!read.isAtEnd) {
      read.name();
      if (read.skip('as')) read.name();
      if (!read.isAtEnd) read.need(',');
    }
  },
  macro: (read) => {
    read.name();
    parameters(read);
  },
  endif: () => undefined,
  endfor: () => undefined,
  endset: () => undefined,
  endwith: () => undefined,
  endmacro: () => undefined,
  endcall: () => undefined,
  endfilter: () => undefined,
};

/** Returns the first problem in a template tag that the template engine cannot read. */
export function checkGrammar({ kind, start, end, word }: JinjaSpan, source: string): SyntaxProblem[] {
  const statement = Object.hasOwn(STATEMENTS, word) ? STATEMENTS[word] : undefined;
  if (kind === 'comment' || (kind === 'statement' && !statement)) return [];
  const read = new JinjaReader(tokensOf(source.slice(start + 2, end - 2)));
  try {
    if (statement) {
      read.name();
      statement(read);
    } else read.expression();
    read.end();
    return [];
  } catch (mistake) {
    if (!(mistake instanceof JinjaMistake)) throw mistake;
    const { token } = mistake;
    const at = start + 2 + token.start;
    if (token.kind === 'end')
      return [{ start, end, code: 'jinja-syntax', message: `${mistake.message} at the end of this template tag.` }];
    const message = `${mistake.message} at \`${token.text}\`.`;
    return [{ start: at, end: at + token.text.length, code: 'jinja-syntax', message }];
  }
}

function loop(read: JinjaReader): void {
  targets(read);
  read.need('in');
  read.expression(false);
  if (read.skip('if')) read.expression();
  read.skip('recursive');
}

function assignment(read: JinjaReader): void {
  if (read.sees('(')) targets(read);
  else {
    read.newName();
    while (read.skip('.')) read.name();
  }
  if (read.skip('=')) return read.expression();
  while (read.skip('|')) {
    read.name();
    if (read.sees('(')) read.arguments();
  }
}

/** Reads the names that a statement assigns. */
function targets(read: JinjaReader): void {
  do {
    if (read.skip('(')) {
      targets(read);
      read.need(')');
    } else if (read.sees(')', 'in')) return;
    else read.newName();
  } while (read.skip(','));
}

function parameters(read: JinjaReader): void {
  read.need('(');
  // Parameters with defaults come last.
  let hasDefault = false;
  while (!read.skip(')')) {
    read.newName();
    if (hasDefault || read.sees('=')) {
      read.need('=');
      read.expression();
      hasDefault = true;
    }
    if (!read.sees(')')) read.need(',');
  }
}
