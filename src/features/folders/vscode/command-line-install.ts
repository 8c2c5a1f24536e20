import { chmod, copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { delimiter, join, posix, win32 } from 'node:path';
import { commandLineBundles, engineTemplates } from '#features/folders/command-line-files.ts';
import { UserError } from '#shell/user-error.ts';

/** The source and destination of an installation of the command line. */
export interface CommandLineSource {
  /** The folder of the extension's bundles. */
  readonly dist: string;
  readonly version: string;
  /** The runtime of this extension, used if Node is not installed. */
  readonly runtime: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The user's environment variables. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** The installed program. */
export interface InstalledCommandLine {
  readonly program: string;
  /** The folder that must be on the user's `PATH`. */
  readonly folder: string;
  readonly isOnPath: boolean;
}

/** The second line of every program that this file writes; programs without it are never replaced. */
const MARK = 'Installed by Modelbench';

/**
 * Copies the command line out of the extension, whose folder changes with each update, and writes a launcher `modelbench` into
 * the user's folder of programs. Throws `UserError` if another program has that name.
 */
export async function installCommandLine(source: CommandLineSource): Promise<InstalledCommandLine> {
  const { data, folder } = foldersOf(source);
  const isWindows = source.platform === 'win32';
  const program = join(folder, isWindows ? 'modelbench.cmd' : 'modelbench');
  const existing = await readFile(program, 'utf8').catch(() => undefined);
  if (existing !== undefined && !existing.includes(MARK))
    throw new UserError(`“${program}” is another program. Rename or remove it, then install again.`);
  const copied = join(data, `cli-${source.version}`);
  await mkdir(copied, { recursive: true });
  await mkdir(folder, { recursive: true });
  const files = [...commandLineBundles.map((name) => `${name}.js`), engineTemplates, 'package.json'];
  await Promise.all(files.map(async (name) => copyFile(join(source.dist, name), join(copied, name))));
  const entry = join(copied, 'cli.js');
  const text = isWindows ? windowsProgram(entry, source.runtime) : shellProgram(entry, source.runtime);
  // A shell that runs the old program still reads it to its end.
  await writeFile(`${program}.new`, text);
  await chmod(`${program}.new`, 0o755);
  await rename(`${program}.new`, program);
  return { program, folder, isOnPath: pathOf(source).includes(folder) };
}

function foldersOf({ home, platform, variables }: CommandLineSource): {
  readonly data: string;
  readonly folder: string;
} {
  // A relative path would be inside the project in which the program starts.
  if (platform === 'win32') {
    const local = variables['LOCALAPPDATA'] ?? '';
    const data = join(win32.isAbsolute(local) ? local : join(home, 'AppData', 'Local'), 'modelbench');
    return { data, folder: join(data, 'bin') };
  }
  const shared = variables['XDG_DATA_HOME'] ?? '';
  const data = posix.isAbsolute(shared) ? shared : join(home, '.local', 'share');
  return { data: join(data, 'modelbench'), folder: join(home, '.local', 'bin') };
}

function pathOf({ variables }: CommandLineSource): readonly string[] {
  return (variables['PATH'] ?? variables['Path'] ?? '').split(delimiter);
}

/** Returns a launcher that uses the user's Node if it is new enough, otherwise the runtime of the editor. */
function shellProgram(entry: string, runtime: string): string {
  return `#!/bin/sh
# ${MARK}
if command -v node >/dev/null 2>&1 && node -e 'process.exit(parseInt(process.versions.node) < 22 ? 1 : 0)'; then
  exec node ${shellQuoted(entry)} "$@"
fi
ELECTRON_RUN_AS_NODE=1 exec ${shellQuoted(runtime)} ${shellQuoted(entry)} "$@"
`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** As {@link shellProgram}. Windows would search the current folder for “node” first, and that is usually a project. */
function windowsProgram(entry: string, runtime: string): string {
  const [script, program] = [entry, runtime].map((path) => `"${path.replaceAll('%', '%%')}"`);
  return [
    '@echo off',
    `rem ${MARK}`,
    // The variables are for this program, not for the rest of the session.
    'setlocal',
    'set NoDefaultCurrentDirectoryInExePath=1',
    'node -e "process.exit(parseInt(process.versions.node) < 22 ? 1 : 0)" >nul 2>nul',
    `if not errorlevel 1 (node ${script ?? ''} %*& exit /b)`,
    'set ELECTRON_RUN_AS_NODE=1',
    `${program ?? ''} ${script ?? ''} %*`,
    '',
  ].join('\r\n');
}
