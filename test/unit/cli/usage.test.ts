import { describe, expect, it } from 'vitest';
import { optionsOf } from '#cli/options.ts';
import { runCommandLine } from '#cli/run.ts';
import { places } from '#support/cli-places.ts';
import { tools } from '#tools/tools.ts';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(...args: readonly string[]): Promise<Ended> {
  const folder = '/nonexistent';
  let [out, err] = ['', ''];
  const code = await runCommandLine(args, {
    ...{ ...places(folder), folder, isInteractive: false, variables: {} },
    signal: new AbortController().signal,
    stdout: (text) => (out += text),
    stderr: (text) => (err += text),
  });
  return { code, out, err };
}

/** What a command answers that was called wrongly: one sentence, and where its help is. */
function refused(message: string, command?: string): Ended {
  const hint =
    command === undefined
      ? 'Run “modelbench help” for a list of commands.'
      : `Run “modelbench ${command} --help” for its options and examples.`;
  return { code: 2, out: '', err: `modelbench: ${message}\n${hint}\n` };
}

const commands = [...tools.map(({ name }) => name), 'mcp', 'completion'];

describe('a command that is called wrongly', () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))('names the formats of %s', async (name, { formats }) => {
    const expected = `“--format” must be one of ${formats.join(', ')}, not the text`;
    expect(await run(name, '--format', 'xml')).toEqual(refused(`${expected} “xml”.`, name));
    expect(await run(name, '--format=Json')).toEqual(refused(`${expected} “Json”. Did you mean “json”?`, name));
    expect(await run(name, '--format', '')).toEqual(refused(`${expected} “”.`, name));
  });

  it.each(commands)('names an option that %s does not have', async (name) => {
    expect(await run(name, '--nothing')).toEqual(refused(`“${name}” has no option “--nothing”.`, name));
    expect(await run(name, '--nothing=x')).toEqual(refused(`“${name}” has no option “--nothing”.`, name));
    if (name === 'completion') return;
    expect(await run(name, '--foldr', 'x')).toEqual(
      refused(`“${name}” has no option “--foldr”. Did you mean “--folder”?`, name),
    );
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))('says what an option of %s takes', async (name, tool) => {
    expect(await run(name, '--folder')).toEqual(refused('“--folder” needs a path after it.', name));
    expect(await run(name, '--format')).toEqual(
      refused(`“--format” needs one of ${tool.formats.join(', ')} after it.`, name),
    );
    for (const { long, flags, argChoices } of optionsOf(tool)) {
      const [, kind] = /<(.+)>/.exec(flags) ?? [];
      const message =
        kind === undefined
          ? `“${long}” takes no value: leave out “=yes”.`
          : `“${long}” needs ${argChoices ? `one of ${argChoices.join(', ')}` : `a ${kind}`} after it.`;
      expect(await run(name, kind === undefined ? `${long}=yes` : String(long))).toEqual(refused(message, name));
    }
  });

  it.each(tools.map((tool) => [tool.name, tool.positional.length] as const))(
    'names the argument that is one too many for %s',
    async (name, most) => {
      const given = ['a', 'b', 'c'].slice(0, most);
      const takes = ['no arguments', 'one argument'][most];
      const hint = most === 0 ? 'Name a folder with “--folder”.' : 'Write an argument with spaces in quotes.';
      expect(await run(name, ...given, 'two words', 'x')).toEqual(
        refused(`“${name}” takes ${takes}, so “two words” is one too many. ${hint}`, name),
      );
    },
  );

  it.each([
    [['chek'], 'There is no command “chek”. Did you mean “check”?'],
    [['zzz', '--folder', 'x'], 'There is no command “zzz”.'],
    [['help', 'chek'], 'There is no command “chek”. Did you mean “check”?'],
    [[''], 'There is no command “”.'],
    [['complet'], 'There is no command “complet”.'],
    [['x\n::error::y'], 'There is no command “x ::error::y”.'],
    [['--verzion'], '“modelbench” has no option “--verzion”. Did you mean “--version”?'],
    [['-x'], '“modelbench” has no option “-x”.'],
  ] as const)('says so of %j, and where the commands are listed', async (args, message) => {
    expect(await run(...args)).toEqual(refused(message));
  });

  it.each([
    [
      'check',
      ['--format', 'json', 'check'],
      '“--format” is an option of a command: write it after the command, as in “modelbench check --format”.',
    ],
    ['search', ['search', '-rev'], '“search” has no option “-rev”. To pass it as a text, write “--” before it.'],
    ['completion', ['completion'], '“shell” is missing: it must be one of bash, zsh, fish, powershell.'],
    [
      'completion',
      ['completion', 'bsh'],
      '“shell” must be one of bash, zsh, fish, powershell, not the text “bsh”. Did you mean “bash”?',
    ],
    [
      'completion',
      ['completion', 'bash', 'zsh'],
      '“completion” takes one argument, so “zsh” is one too many. Write an argument with spaces in quotes.',
    ],
    ['mcp', ['mcp', 'shop'], '“mcp” takes no arguments, so “shop” is one too many. Name a folder with “--folder”.'],
    ['mcp', ['mcp', '--folder'], '“--folder” needs a path after it.'],
  ] as const)('leads to the help of %s for %j', async (command, args, message) => {
    expect(await run(...args)).toEqual(refused(message, command));
  });
});

describe('the help', () => {
  it.each(commands)('of %s has its usage and options', async (name) => {
    const asked = await run('help', name);
    expect(asked).toMatchObject({ code: 0, err: '' });
    expect(asked.out).toMatch(new RegExp(`^Usage: modelbench ${name} \\[options\\]`));
    expect(await run(name, '--help')).toEqual(asked);
  });

  it('lists every command, and is shown where none is named', async () => {
    const { code, out } = await run('help');
    expect(code).toBe(0);
    for (const name of commands) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(out).not.toMatch(/^ {2}complete /m);
    expect(await run('--help')).toEqual({ code: 0, out, err: '' });
    expect(await run()).toEqual({ code: 2, out: '', err: out });
  });
});
