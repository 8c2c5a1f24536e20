import { unreachable } from '#base/result.ts';
import type { Tool } from '#tools/tool.ts';

/** The question to the user before an agent may run a tool. */
export interface AgentConfirmation {
  readonly title: string;
  /** What the tool may do, and a line for each value of the agent's input. */
  readonly lines: readonly string[];
}

/** Inputs with which tools that work on the folder also send requests to the platform. */
const askingPlatform = ['branch', 'workspace'] as const;

type Asking = Pick<Tool, 'title' | 'risk' | 'reach' | 'input'>;

/**
 * Returns the question, by the risk of a tool; `undefined` if it only reads files of the folder, which an agent of the window can
 * do anyway. The gate asks again, on a page, before anything reaches production (docs/tools.md#agents-in-vs-code).
 */
export function confirmationOf(tool: Asking, input: Readonly<Record<string, unknown>>): AgentConfirmation | undefined {
  const effect = effectOf(tool, input);
  if (effect === undefined) return undefined;
  return { title: tool.title, lines: [effect, ...valueLines(tool, input)] };
}

/** The most characters of a value: the question is read before it is answered. */
const LONGEST = 1500;
/** Everything that VS Code shows as the beginning of a line. */
const LINE_ENDS = /\r\n?|[\n\v\f\u0085\u2028\u2029]/;

/**
 * Returns what the agent gives to the tool. The agent chooses the texts, and must not hide one value behind another, or imitate one: those
 * that decide what the tool does come first, a long text is cut with its length, and further lines of a text are marked.
 */
function valueLines({ input }: Asking, given: Readonly<Record<string, unknown>>): readonly string[] {
  const known = Object.keys(input.entries);
  const names = [...new Set([...known, ...Object.keys(given)])].filter((name) => given[name] !== undefined);
  const values = names.map((name) => linesOf(cut(name), shown(given[name])));
  return [...values.filter(({ length }) => length === 1), ...values.filter(({ length }) => length > 1)].flat();
}

function linesOf(name: string, value: string): readonly string[] {
  const [first = '', ...rest] = cut(value).split(LINE_ENDS);
  const note = value.length > LONGEST ? [`> (cut off: ${value.length} characters)`] : [];
  return [`${name.split(LINE_ENDS).join(' ')}: ${first}`, ...rest.map((line) => `> ${line}`), ...note];
}

function cut(text: string): string {
  return text.slice(0, LONGEST);
}

function effectOf({ risk, reach, input }: Asking, given: Readonly<Record<string, unknown>>): string | undefined {
  // Without `yes`, such a tool returns only its plan.
  const onlyShows = 'yes' in input.entries && given['yes'] !== true;
  switch (onlyShows ? 'read' : risk) {
    case 'read':
      return reach === 'folder' && !askingPlatform.some((name) => Boolean(given[name]))
        ? undefined
        : 'The assistant gets what the platform answers for your account. Nothing is changed.';
    case 'devBranch':
      return reach === 'folder' && given['push'] !== true
        ? 'The assistant changes a file of the data model in your folder. The former version is kept.'
        : 'The assistant changes files of your folder or of your dev branch. Former versions are kept.';
    case 'production':
      return 'The assistant changes a branch that production may be built from. You confirm it again before production is changed.';
    default:
      return unreachable(risk as never);
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
