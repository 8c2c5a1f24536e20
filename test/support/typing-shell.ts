import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Shells whose completion can be driven here. */
export type DrivenShell = 'bash' | 'zsh' | 'fish';

/** Returns why a shell cannot be driven on this machine, or `undefined` if it can. */
export function missingFor(shell: DrivenShell): string | undefined {
  if (!['linux', 'darwin'].includes(process.platform)) return `no pseudo terminal is at hand on ${process.platform}`;
  return [shell, 'script']
    .filter((name) => spawnSync('which', [name]).status !== 0)
    .map((name) => `${name} is not installed`)[0];
}

const PROMPT = 'type-here>';
/** What the stand-in prints as soon as it has recorded its arguments. */
const RECORDED = 'arguments-recorded';

/** A user at an interactive shell in a pseudo terminal, who completes arguments of `modelbench`. */
export interface TypingShell {
  /** Types keys, with Tab as `\t`, then Enter; resolves to the arguments that `modelbench` was started with. */
  readonly argumentsOf: (keys: string) => Promise<readonly string[]>;
  /** Types keys without Enter, waits until the screen shows each of the texts, and takes the line back. */
  readonly shows: (keys: string, texts: readonly string[]) => Promise<void>;
}

/**
 * Starts a shell with the completion script of a program in a folder. A stand-in for `modelbench` passes what completion asks for to
 * the program, and otherwise records its arguments.
 */
export async function typingShell(shell: DrivenShell, program: string, cwd: string): Promise<TypingShell> {
  const own = mkdtempSync(join(tmpdir(), 'modelbench-shell-'));
  const record = join(own, 'record.json');
  const bin = join(own, 'bin');
  mkdirSync(bin);
  const source = `#!/bin/sh
case "$1" in complet*) exec '${process.execPath}' '${program}' "$@" ;; esac
printf '%s\\0' "$@" > '${record}'
echo ${RECORDED}
`;
  writeFileSync(join(bin, 'modelbench'), source);
  chmodSync(join(bin, 'modelbench'), 0o755);
  const child = spawn('script', scriptArguments(startOf(shell, own)), {
    cwd,
    env: {
      ...{ HOME: own, ZDOTDIR: own, XDG_STATE_HOME: join(own, 'state'), LC_ALL: 'C.UTF-8', TERM: 'xterm' },
      PATH: [bin, process.env['PATH']].join(delimiter),
    },
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await new Promise((resolve) =>
      child.exitCode === null && child.signalCode === null ? child.once('exit', resolve) : resolve(undefined),
    );
    rmSync(own, { recursive: true, force: true, maxRetries: 3 });
  });
  return driven(child, record);
}

function driven(child: ChildProcessWithoutNullStreams, record: string): TypingShell {
  let [screen, seen] = ['', 0];
  let changed = (): void => undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      screen += bytes.toString();
      changed();
    });
  const shown = async (text: string, from: number): Promise<number> => {
    for (;;) {
      const at = screen.indexOf(text, from);
      if (at !== -1) return at + text.length;
      await new Promise<void>((resolve) => (changed = resolve));
    }
  };
  const run = async (line: string): Promise<void> => {
    seen = await shown(PROMPT, seen);
    child.stdin.write(`${line}\r`);
  };
  return {
    argumentsOf: async (keys) => {
      rmSync(record, { force: true });
      await run(`modelbench ${keys}`);
      seen = await shown(RECORDED, seen);
      return readFileSync(record, 'utf8').split('\0').slice(0, -1);
    },
    shows: async (keys, texts) => {
      seen = await shown(PROMPT, seen);
      child.stdin.write(`modelbench ${keys}`);
      for (const text of texts) await shown(text, seen);
      // Lists draw the prompt again, so a command says that the line is empty again.
      child.stdin.write('\u{15}modelbench end\r');
      seen = await shown(RECORDED, seen);
    },
  };
}

/** The shell with the completion script, no settings of the user, and a prompt that is known. */
function startOf(shell: DrivenShell, own: string): string {
  const file = (name: string, text: string): string => {
    writeFileSync(join(own, name), text);
    return join(own, name);
  };
  if (shell === 'bash')
    return `bash --noprofile --rcfile ${file('rc', `PS1='${PROMPT}'; bind 'set enable-bracketed-paste off'; source <(modelbench completion bash); source <(modelbench completion bash)`)} -i`;
  if (shell === 'zsh') {
    file('.zshrc', `PS1='${PROMPT}'; unset zle_bracketed_paste; source <(modelbench completion zsh)`);
    return 'zsh -d -i';
  }
  return `fish --no-config -C 'source ${file('rc.fish', `function fish_prompt; echo -n '${PROMPT}'; end; modelbench completion fish | source`)}'`;
}

function scriptArguments(command: string): readonly string[] {
  return process.platform === 'darwin' ? ['-q', '/dev/null', 'sh', '-c', command] : ['-qfec', command, '/dev/null'];
}
