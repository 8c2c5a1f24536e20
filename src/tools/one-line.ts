/** Returns a text of the model on one line, so that it cannot imitate a line of the answer; cut after `most` characters. */
export function oneLine(text: string, most = Infinity): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** Returns a path on one line; unlike `oneLine`, it keeps every space, so that the path still opens. */
export function pathLine(path: string): string {
  return path.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '\uFFFD');
}
