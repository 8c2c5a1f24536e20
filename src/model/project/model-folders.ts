/** Conventional names of a project's model folder; the second is the older one. */
export const MODEL_FOLDERS = ['model', 'schema'] as const;

/** Folders that never hold models and can be huge. */
export const UNREAD_FOLDERS: readonly string[] = [
  'node_modules',
  '.git',
  'dist',
  'dashboard-app',
  '.venv',
  'venv',
  '__pycache__',
  'target',
];
const UNREAD = new Set(UNREAD_FOLDERS);

/**
 * Checks whether a folder inside a model is skipped when the model is read. Other hidden folders are read, as the engine does.
 */
export function isUnreadFolder(name: string): boolean {
  return UNREAD.has(name);
}

/** Checks whether a folder of this name is skipped in the search for models; hidden folders are, too. */
export function isIgnoredFolder(name: string): boolean {
  return isUnreadFolder(name) || name.startsWith('.');
}
