import type { OpenedDeployment } from './deployment.ts';

/** Returns a path relative to the folder as a user writes it from where the tools run (docs/tools.md#paths). */
export function pathInFolder({ folder }: Pick<OpenedDeployment, 'folder'>, path: string): string {
  return `${folder}${path}`;
}

/**
 * Returns a path of the platform as that of the same file in the folder. If the folder is not linked to the deployment, it has
 * no such file, and the path stays as it is.
 */
export function pathOnPlatform(opened: OpenedDeployment, path: string): string {
  return opened.linkedDeployment === opened.deployment.id ? pathInFolder(opened, path.replace(/^\/+/, '')) : path;
}

/** Returns a path that {@link pathInFolder} made, or one relative to the folder, as one relative to the folder. */
export function pathFromFolder({ folder }: Pick<OpenedDeployment, 'folder'>, shown: string): string {
  return shown.startsWith(folder) ? shown.slice(folder.length) : shown;
}
