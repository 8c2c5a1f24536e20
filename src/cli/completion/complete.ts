import { tools } from '#tools/tools.ts';
import type { Tool } from '#tools/tool.ts';
import { argumentsOf, optionsOf } from '../options.ts';
import { userOptionsOf } from '../user-options.ts';
import { type ValueKind, valueKindOf } from './value-kinds.ts';

/** A value that a shell offers. */
export interface Candidate {
  readonly value: string;
  readonly description?: string | undefined;
}

/** What a shell offers for a word: values, its own list of files or folders, or nothing. */
export type Completion =
  | { readonly kind: 'files' | 'folders' }
  | {
      readonly kind: 'values';
      /** What the word already has before the value: `--format=`. */
      readonly prefix: string;
      readonly candidates: readonly Candidate[];
    };

/** Returns the values of a kind that begin with a text, for a project; never rejects. */
export type ValueSource = (
  kind: ValueKind,
  start: string,
  project: { readonly folder: string; readonly deployment: string | undefined },
) => Promise<readonly Candidate[]>;

/** The other commands, with their arguments. */
const others: Readonly<Record<string, { readonly does: string; readonly values?: () => readonly string[] }>> = {
  mcp: { does: 'Serve Agents' },
  completion: { does: 'Write a Completion Script', values: () => shells },
  help: { does: 'Show Help', values: () => [...tools.map(({ name }) => name), 'mcp', 'completion'] },
};

/** The shells that have a completion script. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

/** Completes the last of the words that follow `modelbench` on a command line, without their quotes. */
export async function complete(words: readonly string[], valuesOf: ValueSource): Promise<Completion> {
  const [first = '', ...rest] = words;
  if (rest.length === 0) return starting(first, first.startsWith('-') ? globalOptions : commands());
  const tool = tools.find(({ name }) => name === first);
  const current = rest.at(-1) ?? '';
  if (tool) return completeTool(tool, rest, valuesOf);
  if (first === 'mcp') return completeFolderOption(rest);
  const values = Object.hasOwn(others, first) && rest.length === 1 ? (others[first]?.values?.() ?? []) : [];
  return starting(
    current,
    values.map((value) => ({ value })),
  );
}

interface OptionInfo extends Candidate {
  /** `undefined` for an option without a value. */
  readonly taken?: 'folder' | 'other' | readonly string[] | ValueKind | undefined;
}

async function completeTool(tool: Tool, words: readonly string[], valuesOf: ValueSource): Promise<Completion> {
  const options = optionsFor(tool);
  const read = readWords(words, options);
  const project = { folder: read.values.get('--folder') ?? '.', deployment: read.values.get('--deployment') };
  const valueOf = async (taken: OptionInfo['taken'], prefix: string, start: string): Promise<Completion> => {
    if (taken === 'folder') return { kind: 'folders' };
    if (taken === undefined || taken === 'other') return nothing;
    if (typeof taken !== 'string')
      return starting(
        start,
        taken.map((value) => ({ value })),
        prefix,
      );
    return { kind: 'values', prefix, candidates: await valuesOf(taken, start, project) };
  };
  if (read.pending) return valueOf(read.pending.taken, '', read.current);
  if (read.canBeOption && read.current.startsWith('-')) {
    const at = read.current.indexOf('=');
    if (at === -1)
      return starting(
        read.current,
        options.filter(({ value }) => !read.values.has(value)),
      );
    const option = options.find(({ value }) => value === read.current.slice(0, at));
    return valueOf(option?.taken, read.current.slice(0, at + 1), read.current.slice(at + 1));
  }
  const name = tool.positional[read.operands];
  const argument = argumentsOf(tool)[read.operands];
  if (name === undefined || argument === undefined) return nothing;
  return valueOf(argument.argChoices ?? valueKindOf(tool, name), '', read.current);
}

interface ReadWords {
  readonly current: string;
  /** How many operands are before the current word. */
  readonly operands: number;
  /** The option whose value the current word is. */
  readonly pending: OptionInfo | undefined;
  readonly canBeOption: boolean;
  /** The options before the current word, with their values. */
  readonly values: ReadonlyMap<string, string>;
}

function readWords(words: readonly string[], options: readonly OptionInfo[]): ReadWords {
  const values = new Map<string, string>();
  let operands = 0;
  let pending: OptionInfo | undefined;
  let canBeOption = true;
  for (const word of words.slice(0, -1)) {
    const [name = '', ...value] = word.split('=');
    const option = canBeOption && pending === undefined ? options.find((each) => each.value === name) : undefined;
    if (pending) {
      values.set(pending.value, word);
      pending = undefined;
    } else if (canBeOption && word === '--') canBeOption = false;
    else if (option) {
      values.set(name, value.join('='));
      if (option.taken !== undefined && value.length === 0) pending = option;
    } else if (!canBeOption || !word.startsWith('-')) operands += 1;
  }
  return { current: words.at(-1) ?? '', operands, pending, canBeOption, values };
}

function optionsFor(tool: Tool): readonly OptionInfo[] {
  const own = optionsOf(tool).map(({ long, description, argChoices, required }): OptionInfo => {
    const taken = required ? (argChoices ?? valueKindOf(tool, camelCase(long ?? ''))) : undefined;
    return { value: long ?? '', description, taken };
  });
  return [
    folderOption,
    { value: '--format', description: 'How the answer is written.', taken: tool.formats },
    ...own,
    // The user has to type their values: that is the confirmation.
    ...userOptionsOf(tool).map(({ long, description }): OptionInfo => ({
      value: long ?? '',
      description,
      taken: 'other',
    })),
    helpOption,
  ];
}

const folderOption: OptionInfo = {
  value: '--folder',
  description: 'The folder of the project or of its model.',
  taken: 'folder',
};
const helpOption: OptionInfo = { value: '--help', description: 'Shows help with examples.' };
const globalOptions: readonly Candidate[] = [helpOption, { value: '--version', description: 'Shows the version.' }];
const nothing: Completion = { kind: 'values', prefix: '', candidates: [] };

function completeFolderOption(words: readonly string[]): Completion {
  const current = words.at(-1) ?? '';
  if (words.at(-2) === '--folder' || current.startsWith('--folder=')) return { kind: 'folders' };
  return current.startsWith('-') ? starting(current, [folderOption, helpOption]) : nothing;
}

function commands(): readonly Candidate[] {
  const own = tools.map(({ name, title }) => ({ value: name, description: title }));
  return [...own, ...Object.entries(others).map(([value, { does }]) => ({ value, description: does }))];
}

function starting(start: string, all: readonly Candidate[], prefix = ''): Completion {
  return { kind: 'values', prefix, candidates: all.filter(({ value }) => value.startsWith(start)) };
}

function camelCase(long: string): string {
  return long.replace(/^--/, '').replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
