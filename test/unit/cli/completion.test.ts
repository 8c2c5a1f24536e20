import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, describe, expect, it } from 'vitest';
import { answerFor } from '#cli/completion/answer.ts';
import { complete } from '#cli/completion/complete.ts';
import { readShellLine, quotedFor } from '#cli/completion/shell-line.ts';
import { valueKindOf } from '#cli/completion/value-kinds.ts';
import { valuesFor } from '#cli/completion/values.ts';
import { optionsOf } from '#cli/options.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { places } from '#support/cli-places.ts';
import { openPlatform } from '#support/platform.ts';
import { tools } from '#tools/tools.ts';
import { longestWait } from '../../tools/limits.ts';

const BREAKS = ' \t\n"\'@><=;|&(:';

/** Inputs whose text is the user's own. */
const free = [
  ...[
    'query.query',
    'sql.query',
    'logs.since',
    'write.content',
    'write.find',
    'write.replace',
    'undo.token',
    'restore.version',
  ],
  ...['push.plan', 'resolve.plan', 'pull.plan', 'commit.plan', 'merge.plan', 'deploy.plan'],
  ...['commit.message', 'merge.message', 'deploy.message'],
];

describe('completion of the command line', () => {
  const none = async (): Promise<[]> => Promise.resolve([]);

  it('knows what each text of each tool is', () => {
    const texts = tools.flatMap((tool) =>
      Object.keys(tool.input.entries).flatMap((input) => {
        const option = optionsOf(tool).find((each) => each.attributeName() === input);
        const isText = tool.positional.includes(input) || option?.flags.endsWith('<text>') === true;
        const hasChoices = option?.argChoices !== undefined;
        return isText && !hasChoices && valueKindOf(tool, input) === 'text' ? [`${tool.name}.${input}`] : [];
      }),
    );
    expect(texts.toSorted()).toEqual(free.toSorted());
  });

  it('offers each option once, and not the confirmation of production', async () => {
    const valuesOf = async (words: string[]): Promise<readonly string[]> => {
      const completion = await complete(words, none);
      return completion.kind === 'values' ? completion.candidates.map(({ value }) => value) : [];
    };
    expect(await valuesOf(['commit', 'text', '--yes', '--y'])).toEqual(['--yes-production']);
    expect(await valuesOf(['commit', 'text', '--yes-production', ''])).toEqual([]);
    expect(await valuesOf(['commit', 'text', '--', '--y'])).toEqual([]);
    expect(await valuesOf(['nothing', ''])).toEqual([]);
  });

  it('offers branches and deployments of the platform, and nothing where it fails', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'modelbench-completion-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, 'model'));
    const platform = await openPlatform();
    const variables = { MODELBENCH_TENANT_URL: 'https://demo.example.com', MODELBENCH_API_KEY: platform.apiKey };
    const environment = {
      ...places(folder),
      ...{ folder, variables, isInteractive: false, signal: new AbortController().signal },
      ...{ stdout: () => undefined, stderr: () => undefined },
    };
    // The clock stands still, so that a busy machine cannot make a press of Tab wait too long.
    const source = valuesFor(
      {
        ...environment,
        fetch: async (url, init) => platform.fetch(new Request(url, init)),
        limits: { timeoutMs: longestWait },
      },
      new ManualClock(),
    );
    const deployments = await answerFor('fish', ['=builds', '=--deployment='], source);
    expect(deployments).toMatch(/^values\n--deployment=\d+\t/);
    const id = /--deployment=(\d+)/.exec(deployments)?.[1] ?? '';
    expect(await answerFor('zsh', ['=builds', '=--deployment', `=${id}`, '=ma'], source)).toBe('values\nmain\n');
    const failing = valuesFor(
      { ...environment, fetch: async () => Promise.reject(new TypeError('no network')), limits: { attempts: 1 } },
      new ManualClock(),
    );
    expect(await answerFor('zsh', ['=builds', '=--deployment', `=${id}`, '=ma'], failing)).toBe('values\n');
  });

  it('waits three seconds for a platform that does not answer, and no longer', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'modelbench-completion-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const clock = new ManualClock();
    let asked: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const silent = valuesFor(
      {
        ...places(folder),
        ...{ folder, isInteractive: false, signal: new AbortController().signal },
        ...{ stdout: () => undefined, stderr: () => undefined },
        variables: { MODELBENCH_TENANT_URL: 'https://demo.example.com', MODELBENCH_API_KEY: 'key' },
        limits: { timeoutMs: longestWait },
        fetch: async (_, init) =>
          new Promise((_resolve, reject) => {
            init?.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
            asked();
          }),
      },
      clock,
    );
    let answer: string | undefined;
    const answering = answerFor('fish', ['=builds', '=--deployment='], silent).then((text) => (answer = text));
    await isAsked;
    await clock.advance(2999);
    expect(answer).toBeUndefined();
    await clock.advance(1);
    expect(await answering).toBe('values\n');
  });

  it('completes the current word of bash after assignments, in quotes and after colons', async () => {
    const source = async (): Promise<readonly { readonly value: string }[]> =>
      Promise.resolve([{ value: 'a b:c$d"e\nf' }, { value: 'a b:c$d"e' }]);
    const answers = await Promise.all(
      ['A=1 modelbench read a', 'modelbench read "a b', "modelbench read 'a", 'modelbench read a\\ b:'].map(
        async (line) => answerFor('bash', [`=${line}`, `=${BREAKS}`], source),
      ),
    );
    expect(answers).toEqual([
      'values\na\\ b:c\\$d\\"e\n',
      'values\na b:c\\$d\\"e\n',
      'values\na b:c$d"e\n',
      'values\nc\\$d\\"e\n',
    ]);
  });

  it('reads a line as bash does', () => {
    expect(readShellLine(String.raw`m 'a b' "c \$d \e" f\ g --x=`, BREAKS)).toEqual({
      words: ['m', 'a b', 'c $d \\e', 'f g', '--x='],
      fixed: '--x=',
      quote: '',
    });
    expect(readShellLine(String.raw`m "a\"`, BREAKS)).toEqual({ words: ['m', 'a"'], fixed: '', quote: '"' });
    expect(readShellLine('m ', BREAKS)).toEqual({ words: ['m', ''], fixed: '', quote: '' });
    expect(quotedFor("it's", "'")).toBe(String.raw`it'\''s`);
  });
});
