import { oneLine } from '#tools/one-line.ts';
import { complete, type Completion, type Shell, type ValueSource } from './complete.ts';
import { quotedFor, readShellLine } from './shell-line.ts';

/**
 * Answers the completion script of a shell, line by line: first `files`, `folders` or `values`, then each value, and for shells that
 * show it a tab and its description. Bash sends its line and the characters that divide words, other shells send the words.
 */
export async function answerFor(shell: Shell, given: readonly string[], valuesOf: ValueSource): Promise<string> {
  const sent = given.map((word) => (word.startsWith('=') ? word.slice(1) : word));
  if (shell === 'bash') return bashAnswer(sent[0] ?? '', sent[1] ?? '', valuesOf);
  const completion = await complete(sent, valuesOf);
  // The function of zsh removes what is before the value from the word.
  const isWhole = shell !== 'zsh';
  return linesOf(completion, (value, prefix, description) => {
    const tail = description === undefined ? '' : `\t${oneLine(description, 100)}`;
    return `${isWhole ? prefix : ''}${value}${tail}`;
  });
}

async function bashAnswer(line: string, breaks: string, valuesOf: ValueSource): Promise<string> {
  const { words, fixed, quote } = readShellLine(line, breaks);
  const command = words.findIndex((word) => !/^\w+=/.test(word));
  const completion = await complete(words.slice(command + 1), valuesOf);
  return linesOf(completion, (value, prefix) => {
    const whole = `${prefix}${value}`;
    return whole.startsWith(fixed) ? quotedFor(whole.slice(fixed.length), quote) : undefined;
  });
}

function linesOf(
  completion: Completion,
  lineOf: (value: string, prefix: string, description: string | undefined) => string | undefined,
): string {
  if (completion.kind !== 'values') return `${completion.kind}\n`;
  const lines = completion.candidates.flatMap(({ value, description }) => {
    // A name with a line break or another control character could be taken for several, and cannot be typed.
    return /\p{Cc}/u.test(value) ? [] : (lineOf(value, completion.prefix, description) ?? []);
  });
  return `${['values', ...lines].join('\n')}\n`;
}
