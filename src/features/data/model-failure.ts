import { isObject } from '#api/schema.ts';
import { plural } from '#base/words.ts';
import { type BuildError, parseBuildErrors } from '#model/engine/build-errors.ts';

/**
 * Returns the errors of a model that a data API reports instead of metadata or rows, with the file and the member of the first
 * one. `body` is the parsed response, `place` the name of the environment or server. `undefined` if the response is about
 * something else.
 */
export function modelFailure(body: unknown, source: string): string | undefined {
  const text = isObject(body) ? body['error'] : undefined;
  if (typeof text !== 'string') return undefined;
  const [, report] = /(?:^|\n)(?:Error: )?(Compile errors:[\s\S]*)$/i.exec(text) ?? [];
  if (report === undefined) return undefined;
  const errors = parseBuildErrors(withoutStack(report));
  const [first] = errors;
  if (!first) return undefined;
  const more = errors.length - 1;
  const others = more === 0 ? '' : ` ${plural(more, 'more error')}.`;
  return `The data model of ${source} does not compile. ${positionOf(first)}${shortened(first.message)}.${others} Correct the model; the members come back when it compiles.`;
}

/** Removes the stack trace that servers in development mode send. */
function withoutStack(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s+at (?:async |new )?\S.*(?::\d+:\d+\)?|<anonymous>\)?)$/.test(line))
    .join('\n');
}

/** Returns the file and the member, as far as the engine names them. */
function positionOf({ fileName, cube, word, line }: BuildError): string {
  const member = word === undefined || cube === undefined ? (cube ?? word) : `${cube}.${word}`;
  const file = fileName === undefined ? [] : [line === undefined ? fileName : `${fileName}, line ${line}`];
  const all = [...file, ...(member === undefined ? [] : [`“${member}”`])];
  return all.length === 0 ? '' : `${all.join(', ')}: `;
}

const longest = 400;

function shortened(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
