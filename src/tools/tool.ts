import type * as v from 'valibot';
import type { Result } from '#base/result.ts';
import type { GateQuestion } from '#features/platform/production-pass.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { checkedInput } from './checked-input.ts';
import type { ToolPorts } from './ports.ts';

/** The most that a tool can change; callers ask for confirmation accordingly (docs/tools.md#risk). */
export type Risk = 'read' | 'devBranch' | 'production';

/** The source of a tool's answer: the folder alone, or the platform with the caller's credentials. */
type Reach = 'folder' | 'platform';

/** The fields of a tool's input. Every field has a description, which help texts and agents show. */
export type InputSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** The context of every run of a tool, in addition to its input. */
export interface ToolContext {
  readonly signal: AbortSignal;
  /** Reports the current step in a few words. */
  readonly progress: (message: string) => void;
  /**
   * Asks the user before a step that reaches production. The answer comes from the user, or from what the user typed on a command
   * line, never from the input of a tool. The error is a sentence that explains how the user can confirm.
   */
  readonly confirm: (question: Confirmation) => Promise<Result<undefined, string>>;
  /**
   * Links out of the project, or files below them, whose content the user includes in a deploy (docs/tools.md#deploy). They come
   * from the user as well, so only a command line has them.
   */
  readonly includedLinks?: readonly string[] | undefined;
}

/** A step that the user must confirm. */
export interface Confirmation {
  /** `Commit to main (production)?` */
  readonly title: string;
  readonly detail: string;
  /** The text that the user must type. */
  readonly typed: string;
  /** The gate's question with everything known about the step, for callers that show a page. */
  readonly question: GateQuestion;
  /** The branch to commit, merge or deploy. Its account is the URL of the tenant. */
  readonly target: BranchTarget;
}

/** A tool as its file defines it: with typed input and output, independent of its caller (docs/tools.md). */
export interface ToolDefinition<I extends InputSchema, O extends v.GenericSchema> {
  /** The name that the command line and agents use. */
  readonly name: string;
  readonly title: string;
  /** Its purpose, for users and agents. */
  readonly description: string;
  readonly risk: Risk;
  readonly reach: Reach;
  readonly input: I;
  /** Inputs that the command line takes by position, in order. */
  readonly positional: readonly (keyof I['entries'] & string)[];
  /** Command lines for the help, each with its effect. */
  readonly examples: readonly Example[];
  readonly output: O;
  /** Throws `ToolError` for what the caller can correct. */
  readonly run: (ports: ToolPorts, input: v.InferOutput<I>, context: ToolContext) => Promise<v.InferOutput<O>>;
  readonly toText: (output: v.InferOutput<O>) => string;
  /** Formats for other programs, by name. */
  readonly formats?: Readonly<Record<string, (output: v.InferOutput<O>) => string>>;
  /** Whether an answer should fail a pipeline. */
  readonly hasFindings?: (output: v.InferOutput<O>) => boolean;
  /** Whether a user may include what links bring into the project. */
  readonly mayIncludeLinks?: boolean;
}

export interface Example {
  readonly command: string;
  readonly does: string;
}

/** An answer with its renderings. */
export interface ToolAnswer {
  /** Plain JSON that conforms to the tool's output schema. */
  readonly value: unknown;
  readonly hasFindings: boolean;
  /** Renders the answer in one of the tool's formats; throws `ToolError` for a format that the tool does not have. */
  readonly render: (format: string) => string;
}

/** A tool as its callers use it, without the types of its input and output. */
export interface Tool extends Pick<
  ToolDefinition<InputSchema, v.GenericSchema>,
  'name' | 'title' | 'description' | 'risk' | 'reach' | 'input' | 'positional' | 'examples' | 'output'
> {
  /** The formats of its answers; the first one is the default. */
  readonly formats: readonly string[];
  readonly mayIncludeLinks: boolean;
  /** Checks the input and runs the tool; rejects with `ToolError` if the caller can correct something. */
  readonly run: (ports: ToolPorts, input: unknown, context: ToolContext) => Promise<ToolAnswer>;
}

/** Whether an error is one that the caller can correct. Checked by shape, because each bundle has its own class. */
export function isToolError(error: unknown): error is ToolError {
  return error instanceof Error && error.name === 'ToolError' && 'kind' in error;
}

/** An error that the caller can correct. The message is a sentence for a user or an agent. */
export class ToolError extends Error {
  /** `input`: an input is missing, unknown or of a wrong type. */
  readonly kind: 'input' | 'usage' | 'platform';

  constructor(kind: ToolError['kind'], message: string) {
    super(message);
    this.name = 'ToolError';
    this.kind = kind;
  }
}

/** Makes a tool of its definition: it checks input before a run, and its answers can be rendered. */
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
    mayIncludeLinks: definition.mayIncludeLinks ?? false,
    run: async (ports, given, context) => {
      const checked = checkedInput(name, input, given);
      if (!checked.ok) throw new ToolError('input', checked.error);
      // Some tools do their first step before they would notice.
      context.signal.throwIfAborted();
      const value = await definition.run(ports, checked.value, context);
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
