/** A text with a large first letter: `user attributes` → `User attributes`. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
