import { parse } from 'acorn';
import { full } from 'acorn-walk';
import { transpiledAgain, writtenText } from './workerpool.ts';
import { messageOf } from './thrown.ts';

/** The functions of the engine that a script calls for their effect, which must not come twice. */
const WITHOUT_EFFECT = ['cube', 'view', 'context', 'view_group', 'addExport', 'setExport', 'asyncModule'] as const;

/**
 * Returns the line of a script, from 1, at which it throws an error with this message: it is run again, with a mark before each
 * statement and without any effect on the model. Stacks do not say it, because the realm takes none (see `lock-down.ts`). Returns
 * undefined if the script does not end in the same way again.
 */
export function lineThatThrows(fileName: string, message: string, context: object): number | undefined {
  try {
    const marked = transpiledAgain(fileName, withMarks(writtenText(fileName) ?? ''));
    return marked === undefined ? undefined : lastLineOf(marked, message, context);
  } catch {
    return undefined;
  }
}

/** Returns the line of the only asynchronous module in a file: when it fails, the engine has long left the script. */
export function lineOfAsyncModule(fileName: string): number | undefined {
  const [before = '', ...others] = (writtenText(fileName) ?? '').split(/^[ \t]*asyncModule[ \t]*\(/m);
  return others.length === 1 ? before.split('\n').length : undefined;
}

/** What the marks call. */
interface Marks {
  at(line: number): void;
  enter(): () => void;
  leaveBy(error: unknown): unknown;
}

function lastLineOf(code: string, message: string, context: object): number | undefined {
  let current: number | undefined;
  let left: { readonly error: unknown; readonly line: number | undefined } | undefined;
  const marks: Marks = {
    at: (line) => {
      current = line;
    },
    enter: () => {
      const before = current;
      return () => {
        current = before;
      };
    },
    leaveBy: (error) => {
      if (!left || left.error !== error) left = { error, line: current };
      return error;
    },
  };
  const scope: Record<string, unknown> = Object.create(context) as Record<string, unknown>;
  // The engine copies what it is given, which runs getters.
  for (const name of WITHOUT_EFFECT)
    scope[name] = (...given: readonly object[]) => void given.map((each) => ({ ...each }));
  // oxlint-disable-next-line typescript/no-implied-eval -- the realm exists to run models
  const run = Function('scope', MARKS, `with (scope) {\n${code}\n}`) as (scope: object, given: Marks) => unknown;
  try {
    run(scope, marks);
    return undefined;
  } catch (error) {
    if (messageOf(error) !== message) return undefined;
    return left?.error === error ? left?.line : current;
  }
}

const MARKS = 'modelbenchMarks';
const ENTER = `const ${MARKS}Back=${MARKS}.enter();try{`;
const LEAVE = `}catch(${MARKS}Error){throw ${MARKS}.leaveBy(${MARKS}Error)}finally{${MARKS}Back()}`;

/** What the marks need of a node of the parser. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number } };
  readonly body?: Node | readonly Node[];
  readonly consequent?: unknown;
  readonly directive?: unknown;
}

/** Returns a script with a mark before each statement, and around the body of each function; lines stay what they are. */
function withMarks(text: string): string {
  const marks: { readonly at: number; readonly text: string }[] = [];
  const mark = (statements: readonly Node[]): void => {
    for (const { start, directive, loc } of statements)
      if (directive === undefined) marks.push({ at: start, text: `;${MARKS}.at(${loc.start.line});` });
  };
  full(parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true }), (given) => {
    const node = given as unknown as Node;
    if (Array.isArray(node.body) && node.type !== 'ClassBody') mark(node.body as readonly Node[]);
    if (node.type === 'SwitchCase') mark(node.consequent as readonly Node[]);
    const body = /Function/.test(node.type) ? (node.body as Node) : undefined;
    if (body?.type === 'BlockStatement')
      marks.push({ at: body.start + 1, text: ENTER }, { at: body.end - 1, text: LEAVE });
  });
  // At one position, what begins a body comes before the mark of its first statement.
  marks.sort((a, b) => a.at - b.at || Number(b.text === ENTER) - Number(a.text === ENTER));
  let from = 0;
  const pieces = marks.flatMap(({ at, text: inserted }) => {
    const piece = text.slice(from, at);
    from = at;
    return [piece, inserted];
  });
  return [...pieces, text.slice(from)].join('');
}
