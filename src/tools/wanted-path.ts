/**
 * Whether a path contains a text that a user gave for the paths of files: as answers show it, as Windows writes it, with `\`, or as
 * shells complete it, with `./` before it.
 */
export function isWantedPath(path: string, wanted: string): boolean {
  return path.includes(wanted) || path.includes(wanted.replaceAll('\\', '/').replace(/^(?:\.\/)+/, ''));
}
