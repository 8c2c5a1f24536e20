import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Variables } from '#tools/open-platform.ts';

/** The folder where programs of this user keep their state, as the operating system defines it. Nothing in it belongs to a project. */
export function stateFolder(variables: Variables, platform: NodeJS.Platform = process.platform): string {
  return join(parentFolder(variables, platform), 'modelbench');
}

function parentFolder(variables: Variables, platform: NodeJS.Platform): string {
  const home = homedir();
  if (platform === 'win32') return variables['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  const named = variables['XDG_STATE_HOME'];
  return named === undefined || named === '' ? join(home, '.local', 'state') : named;
}
