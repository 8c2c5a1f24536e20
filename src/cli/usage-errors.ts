import type { Command, CommanderError, Option } from 'commander';
import { nearestName } from '#model/suggest.ts';
import { oneLine } from '#tools/one-line.ts';
import { ToolError } from '#tools/tool.ts';

/** The most characters of a wrong word that an error repeats. */
const LONGEST = 60;

/**
 * Returns an error in the words of the tools for one of the library's about the command line of `command`, so that everything that
 * a user can correct is said in the same way. The sentence says what is wrong, what is possible, and what to do.
 */
export function usageError({ code, message }: Pick<CommanderError, 'code' | 'message'>, command: Command): ToolError {
  return new ToolError('input', sentenceOf(code, message, command) ?? message.replace(/^error: /, ''));
}

/** Returns the value if it is one of the choices; throws `ToolError` otherwise. `name` is what the user calls it. */
export function oneOf<T extends string>(name: string, choices: readonly T[], value: string | undefined): T {
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  const expected = `must be one of ${choices.join(', ')}`;
  if (value === undefined) throw new ToolError('input', `“${name}” is missing: it ${expected}.`);
  throw new ToolError('input', `“${name}” ${expected}, not the text “${shown(value)}”.${meant(value, choices)}`);
}

/** Returns the error for a command that does not exist. */
export function unknownCommand(name: string, program: Command): ToolError {
  // Not the hidden one, which only completion scripts call.
  const names = program
    .createHelp()
    .visibleCommands(program)
    .map((command) => command.name());
  return new ToolError('input', `There is no command “${shown(name)}”.${meant(name, names)}`);
}

function sentenceOf(code: string, message: string, command: Command): string | undefined {
  const { parent } = command;
  switch (code) {
    case 'commander.unknownCommand':
      return unknownCommand(command.args[0] ?? '', command).message;
    case 'commander.unknownOption': {
      const given = /'([\s\S]*)'$/.exec(message)?.[1] ?? '';
      return parent ? unknownOption(given, command) : optionBeforeCommand(given, command);
    }
    case 'commander.optionMissingArgument': {
      const option = command.options.find(({ flags }) => message.includes(`'${flags}'`));
      return option && `“${option.long ?? option.flags}” needs ${expectedOf(option)} after it.`;
    }
    case 'commander.excessArguments':
      return excessArguments(command);
    default:
      return undefined;
  }
}

function unknownOption(given: string, command: Command): string {
  const [name = ''] = given.split('=');
  const names = ['--help', ...command.options.flatMap(({ long }) => long ?? [])];
  if (name !== given && names.includes(name))
    return `“${name}” takes no value: leave out “${shown(given.slice(name.length))}”.`;
  const hint = meant(name, names);
  const isText = hint === '' && !given.startsWith('--') && command.registeredArguments.length > 0;
  const asText = isText ? ' To pass it as a text, write “--” before it.' : '';
  return `“${command.name()}” has no option “${shown(name)}”.${hint}${asText}`;
}

function optionBeforeCommand(given: string, program: Command): string {
  const [name = ''] = given.split('=');
  const owner = program.commands.find(({ options }) => options.some(({ long }) => long === name));
  if (owner)
    return `“${name}” is an option of a command: write it after the command, as in “modelbench ${owner.name()} ${name}”.`;
  return `“modelbench” has no option “${shown(name)}”.${meant(name, ['--help', '--version'])}`;
}

function excessArguments(command: Command): string {
  const { args, registeredArguments } = command;
  const most = registeredArguments.length;
  const takes = most === 0 ? 'no arguments' : most === 1 ? 'one argument' : `${most} arguments`;
  const first = `“${command.name()}” takes ${takes}, so “${shown(args[most] ?? '')}” is one too many.`;
  if (most > 0) return `${first} Write an argument with spaces in quotes.`;
  return command.options.some(({ long }) => long === '--folder') ? `${first} Name a folder with “--folder”.` : first;
}

/** Returns what an option takes: `a number`, or its choices. */
function expectedOf({ argChoices, flags }: Option): string {
  return argChoices ? `one of ${argChoices.join(', ')}` : `a ${/<(.+)>/.exec(flags)?.[1] ?? 'value'}`;
}

function meant(word: string, names: readonly string[]): string {
  const near = nearestName(word, names);
  return near === undefined ? '' : ` Did you mean “${near}”?`;
}

function shown(text: string): string {
  return text.trim() === '' ? text : oneLine(text, LONGEST);
}
