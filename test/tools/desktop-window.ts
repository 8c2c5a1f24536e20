import { spawnSync } from 'node:child_process';
import { root } from './run.ts';

const programs = ['code', 'code-insiders', 'codium'];

/** Opens a folder in an installed VS Code with the extension. */
export function startDesktop(folder: string): string {
  for (const program of programs) {
    const args = ['--new-window', `--extensionDevelopmentPath=${root}`, folder];
    const { status } = spawnSync(program, args, { stdio: 'ignore', shell: process.platform === 'win32' });
    if (status === 0) return `a window of ${program}`;
  }
  throw new Error(
    `No VS Code found (${programs.join(', ')} on the search path). Install one, or run npm start without --desktop.`,
  );
}
