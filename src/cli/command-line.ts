import { largest } from '#base/long-lists.ts';
import { Argument, Command, Option } from 'commander';
import { isAbsolute, resolve } from 'node:path';
import { diagnosticPages } from '#tools/check/diagnostic-pages.ts';
import { err, ok } from '#base/result.ts';
import type { Tool, ToolContext } from '#tools/tool.ts';
import { tools } from '#tools/tools.ts';
import { version } from '../../package.json';
import { answerFor } from './completion/answer.ts';
import { shells } from './completion/complete.ts';
import { scripts } from './completion/scripts.ts';
import { valuesFor } from './completion/values.ts';
import { argumentsOf, asGiven, inputOf, optionsOf, usageOf } from './options.ts';
import type { Folder } from './mcp/served-folder.ts';
import { portsOf } from './ports.ts';
import { printable, printableAnnotations, printableJson } from './printable.ts';
import { showProgress } from './progress.ts';
import { folderInRoots, type RootedFolder, watchModel } from './root-folder.ts';
import { oneOf, unknownCommand, usageError } from './usage-errors.ts';
import { type ExitCode, exitCodes, type CliEnvironment } from './environment.ts';
import { type UserOptions, userOptionsOf } from './user-options.ts';

/** Creates the commands of `modelbench`: one for each tool, from its definition, and the completion for shells. */
export function commandLine(environment: CliEnvironment, onEnd: (code: ExitCode) => void): Command {
  const program = new Command('modelbench')
    .description('Checks and explains the data model of a semantic layer, and shows what the platform has of it.')
    .version(version, '-V, --version', 'Shows the version.')
    .helpOption('-h, --help', 'Shows help with examples.')
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: environment.stdout,
      writeErr: (text) => environment.stderr(printable(text, environment.variables)),
      // Errors are written by the caller, in the same way as those of the tools.
      outputError: () => undefined,
    })
    .addHelpText(
      'after',
      `\n${examplesText(tools)}\n\nExit codes: 0 fine, 1 findings, 2 called wrongly, 3 refused by the platform or not possible.`,
    );
  for (const tool of tools) addTool(program, tool, environment, onEnd);
  addMcp(program, environment);
  addCompletion(program, environment);
  addHelp(program);
  for (const command of [program, ...program.commands])
    command.exitOverride((error) => {
      // Help and the version, which are written by now.
      throw error.exitCode === 0 || error.code === 'commander.help' ? error : usageError(error, command);
    });
  return program;
}

interface CommonOptions extends UserOptions {
  readonly folder: string;
  readonly format: string;
}

function addTool(program: Command, tool: Tool, environment: CliEnvironment, onEnd: (code: ExitCode) => void): void {
  const command = program
    .command(tool.name)
    .summary(tool.title)
    .description(tool.description)
    .usage(usageOf(tool))
    .addHelpText('after', `\n${examplesText([tool])}`)
    .addOption(folderOption())
    .addOption(formatOption(tool));
  for (const argument of argumentsOf(tool)) command.addArgument(argument);
  for (const option of optionsOf(tool)) command.addOption(option);
  for (const option of userOptionsOf(tool)) command.addOption(option);
  command.action(async (...given: unknown[]) => {
    const values = given.slice(0, tool.positional.length);
    const options = command.opts<CommonOptions & Readonly<Record<string, unknown>>>();
    const format = oneOf('--format', tool.formats, options.format);
    const progress = showProgress(environment);
    try {
      const folder = resolve(environment.folder, options.folder);
      const ports = portsOf(folder, environment, 'run');
      const confirm = typedName(options.yesProduction);
      const includedLinks = options.includeLink;
      const context = { signal: environment.signal, progress: progress.report, confirm, includedLinks };
      const answer = await tool.run(ports, inputOf(tool, values, options), context);
      progress.end();
      environment.stdout(`${shownAnswer(answer.render(format), format, environment.variables)}\n`);
      onEnd(answer.hasFindings ? exitCodes.findings : exitCodes.fine);
    } finally {
      progress.end();
    }
  });
}

/** Returns a sentence that leads to the help of the command that arguments call, or to the list of commands. */
export function helpHint(args: readonly string[]): string {
  const name = args.find((arg) => [...tools.map((tool) => tool.name), 'mcp', 'completion'].includes(arg));
  return name === undefined
    ? 'Run “modelbench help” for a list of commands.'
    : `Run “modelbench ${name} --help” for its options and examples.`;
}

/** Formats an answer for output, so that no text in it is a command to a terminal or a pipeline. */
function shownAnswer(text: string, format: string, variables: CliEnvironment['variables']): string {
  if (['json', 'sarif', 'gitlab'].includes(format)) return printableJson(text);
  return format === 'github' ? printableAnnotations(text) : printable(text, variables);
}

function typedName(name: string | undefined): ToolContext['confirm'] {
  return async ({ typed }) =>
    Promise.resolve(name === typed ? ok(undefined) : err(`Confirm it with --yes-production ${JSON.stringify(typed)}.`));
}

function formatOption({ formats }: Tool): Option {
  const option = new Option('--format <name>', 'How the answer is written.');
  // The choices are for the help; a wrong one is refused in the words of the tools.
  return option
    .choices(formats)
    .argParser(asGiven)
    .default(formats[0] ?? 'text');
}

function folderOption(): Option {
  return new Option('--folder <path>', 'The folder of the project or of its model.').default('.', 'this folder');
}

/** Adds the command that serves agents until they close the connection; the tools and the protocol come from separate bundles. */
function addMcp(program: Command, environment: CliEnvironment): void {
  program
    .command('mcp')
    .summary('Serve Agents')
    .description(
      'Serves the tools to agents, over the Model Context Protocol on the standard input and output. Agents start it themselves.',
    )
    .addHelpText('after', '\nExamples:\n  modelbench mcp --folder shop  Serves the data model of the folder shop.')
    .addOption(folderOption())
    .action(async ({ folder: wanted }: CommonOptions) => {
      const { serveMcp } = await import('#cli/mcp/serve.ts');
      const start = { folder: resolve(environment.folder, wanted), from: environment.folder };
      const inRoots = (roots: readonly string[]): Folder =>
        servedFolder(folderInRoots(roots, wanted, start), environment);
      const offered = { tools, pages: diagnosticPages(), version, ...servedFolder(start, environment) };
      await serveMcp({ ...offered, inRoots: isAbsolute(wanted) ? undefined : inRoots }, environment.signal);
    });
}

/** Returns a folder as the server for agents uses it. */
function servedFolder({ folder, from }: RootedFolder, environment: CliEnvironment): Folder {
  return { ports: portsOf(folder, { ...environment, folder: from }, 'refuse'), watch: watchModel(folder) };
}

/** Adds the completion script of each shell, and the hidden command that the scripts call. */
function addCompletion(program: Command, environment: CliEnvironment): void {
  const shell = (): Argument =>
    new Argument('[shell]', 'The shell that the script is for.').choices(shells).argParser(asGiven);
  program
    .command('completion')
    .summary('Write a Completion Script')
    .description('Writes the completion script of a shell. Tab then completes commands, options and their values.')
    .addHelpText('after', '\nExamples:\n  source <(modelbench completion bash)  Completes in this bash.')
    .addArgument(shell())
    .usage('[options] <shell>')
    .action((name: string | undefined) => environment.stdout(scripts[oneOf('shell', shells, name)]));
  program
    .command('complete', { hidden: true })
    .addArgument(shell())
    .argument('[words...]')
    .action(async (name: string | undefined, words: readonly string[]) => {
      environment.stdout(await answerFor(oneOf('shell', shells, name), words, valuesFor(environment)));
    });
}

/** Adds a command that shows the help of another one; the library's shows a list in place of an error. */
function addHelp(program: Command): void {
  program
    .command('help')
    .summary('Show Help')
    .description('Shows the commands, or the help of one.')
    .argument('[command]', 'The command to show the help of.')
    .action((name: string | undefined) => {
      const shown = name === undefined ? program : program.commands.find((command) => command.name() === name);
      if (!shown) throw unknownCommand(name ?? '', program);
      shown.outputHelp();
    });
}

function examplesText(of: readonly Tool[]): string {
  const examples = of.flatMap((tool) => (of.length === 1 ? tool.examples : tool.examples.slice(0, 1)));
  const width = largest(examples.map(({ command }) => command.length));
  return ['Examples:', ...examples.map(({ command, does }) => `  ${command.padEnd(width)}  ${does}`)].join('\n');
}
