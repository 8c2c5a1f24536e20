import { largest } from '#base/long-lists.ts';
/**
 * Escapes text of a model or of the platform for Markdown, so that a hover shows it literally: what Markdown could read as a
 * link, an image, HTML or code. Ordinary names and sentences do not change.
 */
export function escapeMarkdown(text: string): string {
  return /[[\]<>`!@$]|:\/\/|www\./i.test(text) ? text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`) : text;
}

/** Returns a block of code that no line of the code itself can end. */
export function codeBlock(language: string, code: string): string[] {
  const longest = largest([2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length)]);
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, code, fence];
}

/** Returns Markdown that this server wrote as plain text: without its marks, and with the text of links. */
export function plainText(markdown: string): string {
  const lines = markdown.split('\n');
  const ends = fenceEnds(lines);
  const shown: string[] = [];
  let prose: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const end = endOf(ends.get(/^(`{3,})\w*$/.exec(line)?.[1] ?? ''), at);
    if (end === undefined) {
      prose.push(line);
      continue;
    }
    if (prose.length > 0) shown.push(withoutMarks(prose.join('\n')));
    shown.push(lines.slice(at + 1, end).join('\n'));
    prose = [];
    at = end;
  }
  if (prose.length > 0) shown.push(withoutMarks(prose.join('\n')));
  return shown.join('\n');
}

/** Returns the lines that may end a block of code, by their text, the last one first. */
function fenceEnds(lines: readonly string[]): ReadonlyMap<string, number[]> {
  const ends = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    if (!/^`{3,}$/.test(line)) continue;
    const known = ends.get(line);
    if (known) known.push(at);
    else ends.set(line, [at]);
  }
  for (const each of ends.values()) each.reverse();
  return ends;
}

/** Returns the end of a block that starts at a line, with at least one line between them, and drops the ends before it. */
function endOf(ends: number[] | undefined, start: number): number | undefined {
  while ((ends?.at(-1) ?? Infinity) < start + 2) ends?.pop();
  return ends?.at(-1);
}

function withoutMarks(text: string): string {
  return text
    .replaceAll(
      /(?<!\\)`([^`\n]*)`|(?<!\\)\[((?:\\.|[^[\]\\])*)\]\([^[)\s]*\)|(?<!\\)\*\*((?:\\.|[^*\\])+)\*\*/g,
      (_, code, link, bold) => String(code ?? link ?? bold),
    )
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}
