/**
 * Text of a model or of the platform inside Markdown: what Markdown could read as a link, an image, HTML or code is escaped,
 * so that a hover shows it as it is written. Ordinary names and sentences stay as they are.
 */
export function markdownText(text: string): string {
  return /[[\]<>`!@$]|:\/\/|www\./i.test(text) ? text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`) : text;
}

/** A block of code that no line of its own ends. */
export function codeBlock(language: string, code: string): string[] {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, code, fence];
}
