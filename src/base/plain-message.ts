/** Escape sequences of terminals: colours, cursor moves, titles and links. */
// oxlint-disable-next-line no-control-regex -- these are control characters
const ESCAPES = /\u001B(?:\[[\d;?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/g;
/** What no reader sees, except line breaks and tabs. */
const INVISIBLE = /[[\p{Cc}\p{Cs}\p{Bidi_Control}]--[\n\t]]/gv;

/** The most characters of a message that are kept. */
const LONGEST = 4_000;

/** Returns a message of a program without what only a terminal understands, and not longer than a reader can use. */
export function plainMessageText(message: string): string {
  const plain = message
    .slice(0, 4 * LONGEST)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(ESCAPES, '')
    .replaceAll(INVISIBLE, '');
  return plain.length <= LONGEST ? plain : `${plain.slice(0, LONGEST - 1).toWellFormed()}…`;
}
