import * as raw from 'vscode';
import type { UserText } from '#base/user-text.ts';

/** A title in bold and facts below it, a line each. Texts are shown as they are: no Markdown, no HTML, no link of theirs. */
export function markdownFacts(title: UserText, facts: readonly UserText[]): raw.MarkdownString {
  return new raw.MarkdownString([`**${escaped(title)}**`, ...facts.map(escaped)].join('  \n'));
}

/** Text as Markdown that reads as the text. */
export function markdownText(shown: UserText): raw.MarkdownString {
  return new raw.MarkdownString(shown.split('\n').map(escaped).join('  \n'));
}

/** `appendText` would make every blank unbreakable, and a long line would leave the box. */
const escaped = (shown: string): string => shown.trim().replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);

/** A link that runs one command with one argument, and nothing else. */
export function commandLink(label: UserText, command: `modelbench.${string}`, argument: object): raw.MarkdownString {
  const link = new raw.MarkdownString(
    `[${escaped(label)}](command:${command}?${encodeURIComponent(JSON.stringify([argument])).replaceAll(/[()']/g, percent)})`,
  );
  link.isTrusted = { enabledCommands: [command] };
  return link;
}

/** A bracket would end the link. */
const percent = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;
