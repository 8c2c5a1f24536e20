import { checkName, type NameProblem } from '#base/file-names.ts';

/**
 * Which files of a folder are transferred, and under which names. `sync`: files go in both directions and must fit every disk.
 * `deploy`: files only go to the platform, and they are the ones that its own command line uploads
 * (docs/sync.md#deployed-files).
 */
export type FileRules = 'sync' | 'deploy';

/**
 * Never synced, whatever the other rules say: tools' folders, secrets, temporary files of editors and our own, and the link of the
 * folder itself, which says what this folder is synced with: a branch that had one could link the folder elsewhere.
 */
const NEVER_SYNCED = [
  '/modelbench.json',
  '.*',
  'node_modules',
  '*.code-workspace',
  '*~',
  '*.swp',
  '*.swo',
  '*.tmp',
  'Thumbs.db',
  'desktop.ini',
];
/** Never deployed: what the platform's command line leaves out. */
const NEVER_DEPLOYED = ['.*', '!.gitignore', 'node_modules', 'dashboard-app'];

/** Returns the patterns of files that are left out, whatever the user's rules say. */
export function fixedIgnores(rules: FileRules): readonly string[] {
  return rules === 'deploy' ? NEVER_DEPLOYED : NEVER_SYNCED;
}

/** Backslashes, which other systems take for separators, and control characters, which no list with a path per line can hold. */
const UNLISTABLE = /[\p{Cc}\\]/u;

/** Returns why a file of this name is left alone, or `undefined` if it is not. A deployed file is never written to this disk. */
export function nameProblem(path: string, rules: FileRules): NameProblem | undefined {
  if (rules === 'sync') return checkName(path);
  const isPath = path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  return isPath && path.isWellFormed() && !UNLISTABLE.test(path) ? undefined : 'invalidName';
}
