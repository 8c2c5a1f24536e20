/** Returns the file name for a title or a question: its words in lower case, joined by hyphens; `otherwise` if it has none. */
export function queryFileName(title: string, otherwise: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .match(/[a-z0-9]+/g);
  let name = '';
  for (const word of words ?? []) {
    if (name.length + word.length > 60) break;
    name += name === '' ? word : `-${word}`;
  }
  return `${name === '' ? otherwise : name}.query.yml`;
}
