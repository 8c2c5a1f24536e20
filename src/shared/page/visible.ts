/** Characters that turn or hide the text around them: shown by their code, so that nothing reads other than it is. */
const DIRECTION = /[\u{202a}-\u{202e}\u{2066}-\u{2069}\u{200e}\u{200f}]/gu;

/** Text of the platform or its agent for a text node: direction overrides become visible. */
export function visible(text: string): string {
  return text.replace(DIRECTION, (character) => `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase()}⟩`);
}
