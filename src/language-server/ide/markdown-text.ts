/**
 * Escapes text of a model or of the platform for Markdown, so that a hover shows it literally: what Markdown could read as a
 * link, an image, HTML or code. Ordinary names and sentences do not change.
 */
export function escapeMarkdown(text: string): string {
  return /[[\]<>`!@$]|:\/\/|www\./i.test(text) ? text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`) : text;
}

/** Returns a block of code that no line of the code itself can end. */
export function codeBlock(language: string, code: string): string[] {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, code, fence];
}

/** Returns Markdown that this server wrote as plain text: without its marks, and with the text of links. */
export function plainText(markdown: string): string {
  return markdown
    .split(/^(`{3,})\w*\n([\s\S]*?)\n\1$/m)
    .map((piece, at) => (at % 3 === 0 ? withoutMarks(piece) : at % 3 === 2 ? piece : ''))
    .join('');
}

function withoutMarks(text: string): string {
  return text
    .replaceAll(
      /(?<!\\)`([^`\n]*)`|(?<!\\)\[((?:\\.|[^\]\\])*)\]\([^)\s]*\)|(?<!\\)\*\*((?:\\.|[^*\\])+)\*\*/g,
      (_, code, link, bold) => String(code ?? link ?? bold),
    )
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}
