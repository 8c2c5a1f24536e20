import { Argument, Command, Option } from 'commander';
import { resolve } from 'node:path';
import { diagnosticPages } from '#tools/diagnostic-pages.ts';
import { err, ok } from '#base/result.ts';
import type { Tool, ToolContext } from '#tools/tool.ts';
import { tools } from '#tools/tools.ts';
import { version } from '../../package.json';
import { answerFor } from './completion/answer.ts';
import { type Shell, shells } from './completion/complete.ts';
import { scripts } from './completion/scripts.ts';
import { valuesFor } from './completion/values.ts';
import { argumentsOf, inputOf, optionsOf, usageOf } from './options.ts';
import { portsOf } from './ports.ts';
import { printable, printableAnnotations, printableJson } from './printable.ts';
import { showProgress } from './progress.ts';
import { type ExitCode, exitCodes, type World } from './world.ts';

/** Creates the commands of `modelbench`: one for each tool, from its definition, and the completion for shells. */
export function commandLine(world: World, onEnd: (code: ExitCode) => void): Command {
  const program = new Command('modelbench')
    .description('Checks and explains the data model of a semantic layer, and shows what the platform has of it.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('Run “modelbench help” for a list of commands.')
    .configureOutput({
      writeOut: world.stdout,
      writeErr: (text) => world.stderr(printable(text, world.variables)),
    })
    .addHelpText(
      'after',
      `\n${examplesText(tools)}\n\nExit codes: 0 fine, 1 findings, 2 called wrongly, 3 refused by the platform or not possible.`,
    );
  for (const tool of tools) addTool(program, tool, world, onEnd);
  addMcp(program, world);
  addCompletion(program, world);
  return program;
}

interface CommonOptions {
  readonly folder: string;
  readonly format: string;
  readonly yesProduction?: string | undefined;
}

function addTool(program: Command, tool: Tool, world: World, onEnd: (code: ExitCode) => void): void {
  const command = program
    .command(tool.name)
    .summary(tool.title)
    .description(tool.description)
    .usage(usageOf(tool))
    .addHelpText('after', `\n${examplesText([tool])}`)
    .showHelpAfterError(helpHint(tool.name))
    .addOption(folderOption())
    .addOption(
      new Option('--format <name>', 'How the answer is written.')
        .choices(tool.formats)
        .default(tool.formats[0] ?? 'text'),
    );
  for (const argument of argumentsOf(tool)) command.addArgument(argument);
  for (const option of optionsOf(tool)) command.addOption(option);
  if (tool.risk === 'production') command.addOption(productionOption());
  command.action(async (...given: unknown[]) => {
    const values = given.slice(0, tool.positional.length);
    const options = command.opts<CommonOptions & Readonly<Record<string, unknown>>>();
    const progress = showProgress(world);
    try {
      const folder = resolve(world.folder, options.folder);
      const ports = portsOf(folder, world, 'run');
      const context = { signal: world.signal, progress: progress.report, confirm: typedName(options.yesProduction) };
      const answer = await tool.run(ports, inputOf(tool, values, options), context);
      progress.end();
      const text = answer.render(options.format);
      world.stdout(`${shownAnswer(text, options.format, world.variables)}\n`);
      onEnd(answer.hasFindings ? exitCodes.findings : exitCodes.fine);
    } finally {
      progress.end();
    }
  });
}

/** Returns a sentence that leads to the help of a command. */
export function helpHint(name: string): string {
  return `Run “modelbench ${name} --help” for its options and examples.`;
}

/** Formats an answer for output, so that no text in it is a command to a terminal or a pipeline. */
function shownAnswer(text: string, format: string, variables: World['variables']): string {
  if (['json', 'sarif', 'gitlab'].includes(format)) return printableJson(text);
  return format === 'github' ? printableAnnotations(text) : printable(text, variables);
}

/**
 * Returns the option that confirms a step that reaches production with the name of the deployment. No tool has it among its
 * inputs.
 */
function productionOption(): Option {
  return new Option(
    '--yes-production <name>',
    'Confirms what reaches production: the name of the deployment, or of the protected branch.',
  );
}

function typedName(name: string | undefined): ToolContext['confirm'] {
  return async ({ typed }) =>
    Promise.resolve(name === typed ? ok(undefined) : err(`Confirm it with --yes-production ${JSON.stringify(typed)}.`));
}

function folderOption(): Option {
  return new Option('--folder <path>', 'The folder of the project or of its model.').default('.', 'this folder');
}

/** Adds the command that serves agents until they close the connection; the tools and the protocol come from separate bundles. */
function addMcp(program: Command, world: World): void {
  program
    .command('mcp')
    .summary('Serve Agents')
    .description(
      'Serves the tools to agents, over the Model Context Protocol on the standard input and output. Agents start it themselves.',
    )
    .addHelpText('after', '\nExamples:\n  modelbench mcp --folder shop  Serves the data model of the folder shop.')
    .addOption(folderOption())
    .action(async ({ folder }: CommonOptions) => {
      const { serveMcp } = await import('#cli/mcp/serve.ts');
      const ports = portsOf(resolve(world.folder, folder), world, 'refuse');
      await serveMcp({ tools, pages: diagnosticPages(), ports, version }, world.signal);
    });
}

/** Adds the completion script of each shell, and the hidden command that the scripts call. */
function addCompletion(program: Command, world: World): void {
  const shell = (): Argument => new Argument('<shell>', 'The shell that the script is for.').choices(shells);
  program
    .command('completion')
    .summary('Write a Completion Script')
    .description('Writes the completion script of a shell. Tab then completes commands, options and their values.')
    .addHelpText('after', '\nExamples:\n  source <(modelbench completion bash)  Completes in this bash.')
    .addArgument(shell())
    .action((name: Shell) => world.stdout(scripts[name]));
  program
    .command('complete', { hidden: true })
    .addArgument(shell())
    .argument('[words...]')
    .action(async (name: Shell, words: readonly string[]) => {
      world.stdout(await answerFor(name, words, valuesFor(world)));
    });
}

function examplesText(of: readonly Tool[]): string {
  const examples = of.flatMap((tool) => (of.length === 1 ? tool.examples : tool.examples.slice(0, 1)));
  const width = Math.max(...examples.map(({ command }) => command.length));
  return ['Examples:', ...examples.map(({ command, does }) => `  ${command.padEnd(width)}  ${does}`)].join('\n');
}
