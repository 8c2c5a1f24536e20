import { plainMessageText } from '#base/plain-message.ts';
import type { EngineRefusal } from './engine-refusals.ts';

/** An error in the answer of a platform: its text, and whatever else the platform says of it. */
export interface AnsweredError {
  readonly message: string;
  readonly [name: string]: unknown;
}

/**
 * Returns the errors of an answer as the engine would report them. Platforms wrap them: in a heading for each file, in a stack trace,
 * in markup, several in one text; and they name files and lines under other names and in other notations. File names stay as the
 * platform has them, without what is not their name.
 */
export function platformErrors(errors: readonly AnsweredError[]): readonly EngineRefusal[] {
  return errors.flatMap((error) => {
    const own = fileOf(error);
    return sections(withoutMarkup(plainMessageText(error.message))).flatMap((section) => {
      const file = section.fileName === undefined ? own : placeIn(section.fileName);
      const { message, file: inText } = withoutWrapping(section.message);
      if (message === '') return [];
      const { fileName, line } = file ?? inText ?? {};
      return [{ message, ...(fileName === undefined ? {} : { fileName }), ...(line === undefined ? {} : { line }) }];
    });
  });
}

interface Place {
  readonly fileName: string;
  readonly line?: number | undefined;
}

const FILE_KEYS = ['fileName', 'file', 'filename', 'filePath', 'path'];
const LINE_KEYS = ['line', 'lineNumber'];

function fileOf(error: AnsweredError): Place | undefined {
  const name = FILE_KEYS.map((key) => error[key]).find((value) => typeof value === 'string' && value.trim() !== '');
  if (typeof name !== 'string') return undefined;
  const place = placeIn(name);
  const line = LINE_KEYS.map((key) => error[key]).find((value) => Number.isInteger(value) && Number(value) > 0);
  return place && typeof line === 'number' ? { ...place, line } : place;
}

/** Reads a file name with what platforms put around it: quotes, a scheme, a position. */
function placeIn(given: string): Place | undefined {
  const written = plainMessageText(given).replaceAll('\n', ' ').trim();
  const bare = written.replace(/^(["'`])(.*)\1$/, '$2');
  const [, name = bare, line] =
    /^(.*\.(?:ya?ml|jinja|js|py))(?::|#L|,? ?\(?line | ?\()(\d+)(?::\d+)?\)?$/i.exec(bare) ?? [];
  const fileName = name.startsWith('file:') ? pathOfUri(name) : name;
  if (fileName === '') return undefined;
  return line === undefined ? { fileName } : { fileName, line: Number(line) };
}

function pathOfUri(uri: string): string {
  const path = uri.replace(/^file:(?:\/\/[^/]*)?/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A line that says of which file the errors below it are. */
const HEADING = /^(?:(\S.*?\.(?:ya?ml|jinja|js|py))\s)?Errors:\s*$/;
const TITLE = /^compile errors?:\s*/i;
/** How the engine begins an error of a cube. */
const OF_CUBE = /^(?:\[[^\]]*\] )?\w+ (?:cube|view group): /;

/** Splits a text that holds the errors of several files or cubes. */
function sections(text: string): readonly { readonly message: string; readonly fileName?: string | undefined }[] {
  const found: { message: string; fileName?: string | undefined }[] = [];
  let fileName: string | undefined;
  let lines: string[] = [];
  const flush = (): void => {
    const message = lines.join('\n').trim();
    if (message !== '') found.push({ message, fileName });
    lines = [];
  };
  for (const written of text.split('\n')) {
    const line = written.replace(TITLE, '');
    const heading = HEADING.exec(line);
    if (heading || OF_CUBE.test(line)) flush();
    if (heading) [, fileName] = heading;
    // Below a heading, each line at the margin is an error; elsewhere, a text may have several lines.
    else if (fileName !== undefined && /^[^\s>*\d|-]/.test(line) && !line.startsWith('Possible reasons')) flush();
    if (!heading) lines.push(line);
  }
  flush();
  return found;
}

const STACK_LINE = /^\s*at (?:async |new )?(?:\S.*\(.*\)|\S+:\d+(?::\d+)?|<anonymous>)$/;

/** Returns a message without the class of the error, its stack and the file in brackets before it. */
function withoutWrapping(written: string): { readonly message: string; readonly file?: Place | undefined } {
  const lines = written.split('\n');
  const kept = lines.filter((line) => !STACK_LINE.test(line));
  const message = kept.join('\n').replace(/^(?:(?:Uncaught |Unhandled )?(?:[A-Z]\w*)?(?:Error|Exception)s?:\s+)+/, '');
  const [, name] = /^\[([^\]\s]+\.\w+)\]\s+/.exec(message) ?? [];
  if (name === undefined) return { message: message.trim() };
  return { message: message.slice(message.indexOf(']') + 1).trim(), file: placeIn(name) };
}

const MARKUP = /^\s*<(?:!doctype|html|head|body|div|p|pre|span|ul|b|strong|h\d)\b/i;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** Returns the text of a message that is a piece of a web page; others may have such signs in SQL, and stay. */
function withoutMarkup(message: string): string {
  if (!MARKUP.test(message)) return message;
  return message
    .replaceAll(/<(script|style|title)\b.*?<\/\1>/gis, ' ')
    .replaceAll(/<(?:br|\/(?:p|div|li|h\d|pre|tr))\b[^>]*>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(#39|\w+);/g, (written, name: string) => ENTITIES[name] ?? written)
    .replaceAll(/[ \t]*\n\s*/g, '\n')
    .trim();
}
