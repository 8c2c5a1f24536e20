/** Names of the folder that holds the model of a project by convention; the older name is the second. */
export const MODEL_FOLDERS = ['model', 'schema'] as const;

/** Folders that never hold models and can be huge. */
const IGNORED = new Set(['node_modules', 'dist', 'dashboard-app', 'venv', '__pycache__', 'target']);

/** Whether a folder of this name is left out when models are searched and read: hidden ones are, too. */
export function isIgnoredFolder(name: string): boolean {
  return IGNORED.has(name) || name.startsWith('.');
}
