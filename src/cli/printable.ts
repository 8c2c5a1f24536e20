/** A text as a terminal may get it: a control character of the model could move the cursor or rename the window. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- it removes them
  return text.replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, '\uFFFD');
}
