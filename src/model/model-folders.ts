/** Names of the folder that holds the model of a project by convention; the older name is the second. */
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

/** Whether a folder inside of a model is left out when the model is read. Other hidden folders are read, as the engine does. */
export function isUnreadFolder(name: string): boolean {
  return UNREAD.has(name);
}

/** Whether a folder of this name is left out when models are searched: hidden ones are, too. */
export function isIgnoredFolder(name: string): boolean {
  return isUnreadFolder(name) || name.startsWith('.');
}
