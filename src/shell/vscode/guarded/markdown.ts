import * as raw from 'vscode';
import type { UserText } from '#base/user-text.ts';

/**
 * Returns a bold title with facts below it, one per line. Texts appear verbatim: their Markdown, HTML and links have no effect.
 */
export function markdownFacts(title: UserText, facts: readonly UserText[]): raw.MarkdownString {
  return new raw.MarkdownString([`**${escaped(title)}**`, ...facts.map(escaped)].join('  \n'));
}

/** Returns Markdown that shows the text verbatim. */
export function markdownText(shown: UserText): raw.MarkdownString {
  return new raw.MarkdownString(shown.split('\n').map(escaped).join('  \n'));
}

/** `appendText` would make every space non-breaking, so a long line would overflow the box. */
const escaped = (shown: string): string => shown.trim().replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);

/** Returns a link that can only run one command with one argument. */
export function commandLink(label: UserText, command: `modelbench.${string}`, argument: object): raw.MarkdownString {
  const link = new raw.MarkdownString(
    `[${escaped(label)}](command:${command}?${encodeURIComponent(JSON.stringify([argument])).replaceAll(/[()']/g, percent)})`,
  );
  link.isTrusted = { enabledCommands: [command] };
  return link;
}

/** A parenthesis would end the link. */
const percent = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;
