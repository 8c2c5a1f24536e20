import { baseName } from '#base/path.ts';

const COMPOSE = /^(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml$/;

/** Checks whether a path is that of a `cube.js` or `cube.py`. */
export function isConfiguration(path: string): boolean {
  return baseName(path) === 'cube.js' || baseName(path) === 'cube.py';
}

/** Checks whether a path is that of a file that says which containers run, and with which folders. */
export function isComposeFile(path: string): boolean {
  return COMPOSE.test(baseName(path));
}

/** Checks whether a file with this path can say where a model is. */
export function isProjectFile(path: string): boolean {
  return isConfiguration(path) || baseName(path) === '.env' || isComposeFile(path);
}
