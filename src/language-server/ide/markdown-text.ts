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
