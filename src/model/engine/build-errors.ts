import { append } from '#base/long-lists.ts';
/** One error of a build, as far as the engine's message describes it. */
export interface BuildError {
  readonly message: string;
  /** As the engine gives it: relative to the model's root. */
  readonly fileName: string | undefined;
  readonly cube: string | undefined;
  /** A member, key or reference that the message is about. */
  readonly word: string | undefined;
  /** 1-based, where the text has a line. */
  readonly line: number | undefined;
  /** Source lines that the engine quoted, by 1-based line. */
  readonly quoted: ReadonlyMap<number, string>;
}

/** The position at which an error is shown: 0-based, end exclusive. */
export interface ErrorPosition {
  readonly path: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Parses the engine's error text: groups by file (`cubes/orders.yml Errors:`), bracketed file names, quoted source. The text is
 * written for humans, so every pattern is optional and nothing is lost: text that matches none becomes a message.
 */
export function parseBuildErrors(text: string): readonly BuildError[] {
  const errors: BuildError[] = [];
  let fileName: string | undefined;
  let lines: string[] = [];
  const flush = (): void => {
    const message = lines.join('\n').trim();
    if (message !== '') append(errors, byMember(readError(message, fileName)));
    lines = [];
  };
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const header = /^(?:(\S.*?)\s)?Errors:\s*$/.exec(line);
    if (header) {
      flush();
      fileName = header[1];
      continue;
    }
    if (/^compile errors:\s*$/i.test(line)) continue;
    if (startsError(line)) flush();
    lines.push(line.replace(/^compile errors:\s*/i, ''));
  }
  flush();
  return errors;
}

/** Checks whether a line starts an error. Indented lines, lists of reasons and quoted source belong to the error above them. */
function startsError(line: string): boolean {
  return line.trim() !== '' && !/^(\s|>|-{3,}|\d+ \||Possible reasons)/.test(line);
}

function readError(whole: string, group: string | undefined): BuildError {
  const bracketed = /^\[([^\]\s]+\.\w+)\]\s+/.exec(whole);
  const message = bracketed ? whole.slice(bracketed[0].length) : whole;
  const [first = ''] = message.split('\n');
  const inFile = /\(in ([^\s():]+):(\d+)\)/.exec(first);
  const at = inFile?.[2] ?? /\((\d+):\d+\)\s*$/.exec(first)?.[1];
  return {
    message,
    fileName: bracketed?.[1] ?? inFile?.[1] ?? group,
    cube: matched(message, cubePatterns),
    word: matched(message, wordPatterns),
    line: at === undefined ? undefined : Number(at),
    quoted: quotedLines(message),
  };
}

/** Splits an error by member: the engine lists every wrong member of a cube in one error, so each gets its own reasons. */
function byMember(error: BuildError): readonly BuildError[] {
  const [first = '', ...rest] = error.message.split('\n');
  const members = [...first.matchAll(/"((\w+)\.([\w-]+))(?:\.[\w.[\]]+)?" [^"]+/g)];
  const distinct = new Set(members.map(([, path]) => path));
  if (error.cube === undefined || distinct.size < 2) return [error];
  return [...distinct].map((path = '') => {
    const sentences = members.filter((member) => member[1] === path).map(([sentence]) => sentence.trim());
    const own = rest.filter((line) => !/^\s*\*/.test(line) || line.includes(`(${path}`));
    const message = [`${error.cube} cube: ${sentences.join(' ')}`, ...own].join('\n').trim();
    return { ...error, message, word: path.split('.')[1] };
  });
}

const cubePatterns: readonly RegExp[] = [
  /^(\w+) cube: /,
  /\bin cube '(\w+)'/,
  /\b[Vv]iew '(\w+)'/,
  /\bincluded in '(\w+)'/,
  /^(\w+)\.\w+ cannot be resolved/,
];

const wordPatterns: readonly RegExp[] = [
  /\b(?:dimensions|measures|segments|joins|hierarchies|preAggregations)\.([\w-]+)/,
  /\bduplicate \w+ '(\w+)'/,
  /\bMember '(\w+)'/,
  /\bdefines own member '\w+\.(\w+)'/,
  /^\w+ cube: Cube (\w+) doesn't exist/,
  /^(?:\w+ cube: )?(\w+) is not defined/,
  /^\w+\.(\w+) cannot be resolved/,
  /\bUnexpected YAML key: (\w+)/,
];

function matched(text: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

function quotedLines(message: string): ReadonlyMap<number, string> {
  const lines = new Map<number, string>();
  for (const [, number = '', text = ''] of message.matchAll(/^>?[ \t]*(\d+) \| ?(.*)$/gm)) {
    lines.set(Number(number), text.replace(/ \.\.\.$/, ''));
  }
  return lines;
}

/** Checks whether the texts define a cube or view of this name. */
export function defines(files: Iterable<string>, name: string): boolean {
  for (const text of files) if (cubeLine(text.split('\n'), name) !== undefined) return true;
  return false;
}

/** Finds the position of an error in the model's files; `undefined` if nothing in the error leads to one. */
export function placeOf(error: BuildError, files: ReadonlyMap<string, string>): ErrorPosition | undefined {
  const candidates = candidateFiles(error, files);
  for (const [path, text] of candidates) {
    const lines = text.split('\n');
    const position = placeIn(error, lines);
    if (position) return { path, ...position };
  }
  const [named] = candidates;
  // The engine named the file but no position: use the file's first line.
  return named && error.fileName !== undefined ? { path: named[0], ...wholeLine(named[1].split('\n'), 0) } : undefined;
}

function candidateFiles(error: BuildError, files: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  const all = [...files];
  if (error.fileName !== undefined) {
    const wanted = error.fileName.replace(/^\/+/, '');
    return all.filter(([path]) => path === wanted || path.endsWith(`/${wanted}`));
  }
  if (error.quoted.size > 0) {
    return all.filter(([, text]) => {
      const lines = text.split('\n');
      return [...error.quoted].every(([line, quote]) => (lines[line - 1] ?? '').startsWith(quote));
    });
  }
  return all;
}

type Range = Omit<ErrorPosition, 'path'>;

function placeIn(error: BuildError, lines: readonly string[]): Range | undefined {
  if (error.line !== undefined) return wholeLine(lines, error.line - 1);
  const from = error.cube === undefined ? 0 : cubeLine(lines, error.cube);
  if (from === undefined) return undefined;
  if (error.word !== undefined) {
    const defined = definitionLine(lines, error.word, from);
    const at = defined ?? lines.findIndex((line, index) => index >= from && wordAt(line, error.word ?? '') !== -1);
    if (at !== -1) return wordRange(lines, at, error.word);
  }
  return error.cube === undefined ? undefined : wordRange(lines, from, error.cube);
}

/** Finds the line that defines a cube or view, ignoring joins of the same name in other cubes. */
function cubeLine(lines: readonly string[], name: string): number | undefined {
  for (let from = 0; ;) {
    const at = definitionLine(lines, name, from);
    if (at === undefined || /\b(?:cube|view)\(|^(?:cubes|views)\s*:/.test(lines[at] ?? '')) return at;
    if (/^(?:cubes|views)\s*:/.test(listOf(lines, at))) return at;
    from = at + 1;
  }
}

/** Returns the line that opens the YAML list to whose item a line belongs. */
function listOf(lines: readonly string[], at: number): string {
  let line = lines[at] ?? '';
  for (let index = at - 1; index >= 0; index -= 1) {
    const above = lines[index] ?? '';
    if (!/^\s*[^\s#]/.test(above)) continue;
    const isItem = /^\s*-\s/.test(line);
    const deeper = indentOf(above) - indentOf(line);
    // A list may have the same indentation as its key.
    const opens = deeper < 0 || (isItem && deeper === 0 && !/^\s*-\s/.test(above));
    if (opens && isItem) return above;
    if (opens) line = above;
  }
  return '';
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Finds the line with `name: x` (YAML) or `x: {`, `cube('x'` (JavaScript) at or after a line. */
function definitionLine(lines: readonly string[], name: string, from: number): number | undefined {
  const quoted = name.replaceAll(/[^\w]/g, String.raw`\$&`);
  const pattern = new RegExp(
    String.raw`(?:\bname\s*:\s*["']?${quoted}["']?\s*(?:[,}#]|$))|(?:\b(?:cube|view)\(\s*["'\x60]${quoted}["'\x60])|(?:^\s*${quoted}\s*:\s*\{)`,
  );
  const at = lines.findIndex((line, index) => index >= from && pattern.test(line));
  return at === -1 ? undefined : at;
}

function wordAt(line: string, word: string): number {
  let at = line.indexOf(word);
  while (at !== -1) {
    if (!/\w/.test(line[at - 1] ?? '') && !/\w/.test(line[at + word.length] ?? '')) return at;
    at = line.indexOf(word, at + 1);
  }
  return -1;
}

function wordRange(lines: readonly string[], line: number, word: string): Range {
  const start = wordAt(lines[line] ?? '', word);
  return start === -1 ? wholeLine(lines, line) : { line, start, end: start + word.length };
}

function wholeLine(lines: readonly string[], wanted: number): Range {
  const line = Math.max(0, Math.min(wanted, lines.length - 1));
  const text = (lines[line] ?? '').replace(/\r$/, '');
  const start = text.length - text.trimStart().length;
  return { line, start, end: Math.max(start + 1, text.trimEnd().length) };
}
