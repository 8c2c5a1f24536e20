/**
 * Tags for the text of a model's files: `yaml`, `js`, `jinja`, `python` and `json` differ for editors and readers only.
 *
 * The common indentation and the first line break are removed; backslashes stay, except before a backtick and `${`. Inserted text
 * keeps the column at which it begins. Several files are one text: see `filesIn`.
 */
export const yaml = raw;
export const js = raw;
export const jinja = raw;
export const python = raw;
export const json = raw;
/** Tag for answers of the agent: fences of tildes are easier to read than escaped backticks, and no formatter rewrites them. */
export const prose = raw;

function raw(strings: TemplateStringsArray, ...inserted: readonly string[]): string {
  let text = '';
  for (const [at, piece] of strings.raw.entries()) {
    text += piece.replaceAll(/\\(`|\$\{)/g, '$1');
    const line = text.slice(text.lastIndexOf('\n') + 1);
    const column = ' '.repeat(/^ */.exec(line)?.[0].length ?? 0);
    text += (inserted[at] ?? '').replace(/\n$/, '').replaceAll('\n', `\n${column}`);
  }
  return withoutIndentation(text.replace(/^\n/, '').replace(/\n *$/, '\n'));
}

function withoutIndentation(text: string): string {
  const indents = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.search(/\S/)]));
  const common = Math.min(...indents);
  return text
    .split('\n')
    .map((line) => line.slice(common))
    .join('\n');
}

/** Indents the lines of a text by so many columns, as a section of a longer file; empty lines stay empty. */
export function indented(columns: number, text: string): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(columns));
}

/**
 * Returns the files of a text by path: a line such as `# file: cubes/a.yml` or `// file: a.js` begins one. Without such a line
 * the only file is `model.yml`.
 */
export function filesIn(text: string): ReadonlyMap<string, string> {
  const [before = '', ...rest] = text.split(/^(?:#|\/\/) file: (\S+)\n/m);
  if (rest.length === 0) return new Map([['model.yml', text.replace(/^\n/, '')]]);
  if (before.trim() !== '') throw new Error('A text of several files begins with the line of its first file.');
  const files = new Map<string, string>();
  for (let at = 0; at < rest.length; at += 2) files.set(rest[at] ?? '', rest[at + 1] ?? '');
  return files;
}
