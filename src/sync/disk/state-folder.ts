import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, posix, win32 } from 'node:path';

/** The variables of a process. */
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the folder where programs of this user store their state, as the operating system defines it. Nothing in it belongs to
 * a project; `undefined` if the user has no home.
 */
export function stateFolder(
  variables: Variables,
  platform: NodeJS.Platform = process.platform,
  home: string | undefined = homeFolder(),
): string | undefined {
  const named = variables[platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_STATE_HOME'] ?? '';
  // A relative path would be inside the project in which the program starts.
  const parent =
    platform !== 'darwin' && (platform === 'win32' ? win32 : posix).isAbsolute(named)
      ? named
      : belowHome(home, platform);
  return parent === undefined ? undefined : join(parent, 'modelbench');
}

function belowHome(home: string | undefined, platform: NodeJS.Platform): string | undefined {
  if (home === undefined) return undefined;
  if (platform === 'win32') return join(home, 'AppData', 'Local');
  return platform === 'darwin' ? join(home, 'Library', 'Application Support') : join(home, '.local', 'state');
}

/** Returns the home folder from the environment, or else from the system's user data. */
function homeFolder(): string | undefined {
  return [homedir, () => userInfo().homedir].map(orNothing).find((path) => path !== undefined && isAbsolute(path));
}

function orNothing(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
