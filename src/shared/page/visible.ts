/** Characters that reverse or hide the text around them: shown by their code, so that text cannot look like something else. */
const DIRECTION = /[\u{202a}-\u{202e}\u{2066}-\u{2069}\u{200e}\u{200f}]/gu;

/** Makes direction overrides visible in text from the platform or its agent, for a text node. */
export function visible(text: string): string {
  return text.replace(DIRECTION, (character) => `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase()}⟩`);
}
