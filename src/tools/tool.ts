import * as v from 'valibot';
import type { Result } from '#base/result.ts';
import type { GateQuestion } from '#features/platform/production-pass.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { ToolPorts } from './ports.ts';

/** What a tool can change at worst; faces ask for confirmation by it (docs/tools.md#risk). */
export type Risk = 'read' | 'devBranch' | 'production';

/** Where a tool gets its answer: from the folder alone, or from the platform with the caller's credentials. */
type Reach = 'folder' | 'platform';

/** The fields of a tool's input. Every field has a description, which help texts and agents show. */
export type InputSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** What every run of a tool gets besides its input. */
export interface ToolContext {
  readonly signal: AbortSignal;
  /** Reports in a few words what is being done. */
  readonly progress: (message: string) => void;
  /**
   * Asks the user, before a step that reaches production. An answer comes from the user or what the user typed on a command
   * line, never from the input of a tool. The error is a sentence that says how the user can confirm.
   */
  readonly confirm: (question: Confirmation) => Promise<Result<undefined, string>>;
}

/** What a user must confirm. */
export interface Confirmation {
  /** `Commit to main (production)?` */
  readonly title: string;
  readonly detail: string;
  /** What the user must type. */
  readonly typed: string;
  /** The same as the gate asks it, with all that is known of the step, for faces that show a page. */
  readonly question: GateQuestion;
  /** The branch that is sent. Its account is the address of the tenant. */
  readonly target: BranchTarget;
}

/** A tool as its file defines it: typed in and out, without knowing which face runs it (docs/tools.md). */
export interface ToolDefinition<I extends InputSchema, O extends v.GenericSchema> {
  /** As the command line and agents call it. */
  readonly name: string;
  readonly title: string;
  /** What it is good for, for users and agents. */
  readonly description: string;
  readonly risk: Risk;
  readonly reach: Reach;
  readonly input: I;
  /** Input that the command line takes by position, in order. */
  readonly positional: readonly (keyof I['entries'] & string)[];
  /** Command lines for the help, with what each does. */
  readonly examples: readonly Example[];
  readonly output: O;
  /** Throws `ToolError` for what the caller can put right. */
  readonly run: (ports: ToolPorts, input: v.InferOutput<I>, context: ToolContext) => Promise<v.InferOutput<O>>;
  readonly toText: (output: v.InferOutput<O>) => string;
  /** Renderings for other programs, by the name of the format. */
  readonly formats?: Readonly<Record<string, (output: v.InferOutput<O>) => string>>;
  /** Whether an answer should fail a pipeline. */
  readonly hasFindings?: (output: v.InferOutput<O>) => boolean;
}

export interface Example {
  readonly command: string;
  readonly does: string;
}

/** An answer with its renderings. */
export interface ToolAnswer {
  /** Plain JSON, as the tool's output schema describes it. */
  readonly value: unknown;
  readonly hasFindings: boolean;
  /** The answer in one of the tool's formats; throws `ToolError` for a format that the tool does not have. */
  readonly render: (format: string) => string;
}

/** A tool as faces use it: they do not know the types of its input and output. */
export interface Tool extends Pick<
  ToolDefinition<InputSchema, v.GenericSchema>,
  'name' | 'title' | 'description' | 'risk' | 'reach' | 'input' | 'positional' | 'examples' | 'output'
> {
  /** The formats that its answers can be rendered in; the first one is the default. */
  readonly formats: readonly string[];
  /** Checks the input and runs the tool; rejects with `ToolError` where the caller can put something right. */
  readonly run: (ports: ToolPorts, input: unknown, context: ToolContext) => Promise<ToolAnswer>;
}

/** Whether an error is one that the caller can put right; by its shape, because each bundle has a class of its own. */
export function isToolError(error: unknown): error is ToolError {
  return error instanceof Error && error.name === 'ToolError' && 'kind' in error;
}

/** Something that the caller can put right. The message is a sentence for a user or an agent. */
export class ToolError extends Error {
  readonly kind: 'usage' | 'platform';

  constructor(kind: 'usage' | 'platform', message: string) {
    super(message);
    this.name = 'ToolError';
    this.kind = kind;
  }
}

/** Makes a tool of its definition: input is checked before it runs, and answers know their renderings. */
export function defineTool<const I extends InputSchema, O extends v.GenericSchema>(
  definition: ToolDefinition<I, O>,
): Tool {
  const { name, title, description, risk, reach, input, positional, examples, output } = definition;
  const renderings: Readonly<Record<string, (value: v.InferOutput<O>) => string>> = {
    text: definition.toText,
    json: (value) => JSON.stringify(value, undefined, 2),
    ...definition.formats,
  };
  return {
    ...{ name, title, description, risk, reach, input, positional, examples, output },
    formats: Object.keys(renderings),
    run: async (ports, given, context) => {
      const value = await definition.run(ports, checkedInput(input, given), context);
      return {
        value,
        hasFindings: definition.hasFindings?.(value) ?? false,
        render: (format) => {
          const rendering = Object.hasOwn(renderings, format) ? renderings[format] : undefined;
          if (!rendering) throw new ToolError('usage', `“${name}” has no format “${format}”.`);
          return rendering(value);
        },
      };
    },
  };
}

function checkedInput<I extends InputSchema>(schema: I, given: unknown): v.InferOutput<I> {
  const parsed = v.safeParse(schema, given);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const field = v.getDotPath(issue) ?? 'input';
  throw new ToolError('usage', `“${field}” is wrong: ${issue.message}.`);
}
