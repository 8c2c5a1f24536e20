import { maskConflicts } from './syntax/conflicts.ts';
import { Chunk, chunkOfScript, chunkOfTree } from './chunk.ts';
import { isQueryPath } from './query-files/query-path.ts';
import { scanFast } from './syntax/fast.ts';
import { isTemplate, maskJinja, structuralRanges } from './syntax/jinja.ts';
import type { JinjaSpan } from './syntax/jinja-span.ts';
import { parseWhole } from './syntax/parse.ts';
import { Scanner } from './syntax/scanner.ts';
import { joinLongQuotes } from './syntax/long-quotes.ts';
import { parseScript } from './syntax/script.ts';
import { type ChunkRange, MISPLACED, splitYaml } from './syntax/split.ts';
import { TooMuchWork, withinWork } from './syntax/work.ts';
import { unreadable } from './limits.ts';
import type { SyntaxProblem } from './syntax/tree.ts';

export type { Chunk } from './chunk.ts';

export type FileLanguage = 'yaml' | 'script';

export interface PlacedChunk {
  /** Where the chunk starts in the file. */
  readonly start: number;
  /** Where the key of its section stands in the file. */
  readonly sectionStart: number;
  readonly chunk: Chunk;
}

/** A file of a model: text → chunks → entities. Immutable; never fails. */
export interface ModelFile {
  readonly path: string;
  readonly language: FileLanguage;
  readonly text: string;
  readonly chunks: readonly PlacedChunk[];
  /** Problems of no chunk: template blocks, conflicts, misplaced list items. Offsets are the file's. */
  readonly problems: readonly SyntaxProblem[];
  readonly jinja: readonly JinjaSpan[];
  /** Whether a template or a function decides which cubes and views are in it. */
  readonly templated: boolean;
  /** Whether conflict markers made parts of it unreadable. */
  readonly conflicted: boolean;
}

const NO_LOCALS: ReadonlySet<string> = new Set();

/** By the end of its name; templates are read as YAML. */
export function languageOf(path: string): FileLanguage {
  return path.endsWith('.js') ? 'script' : 'yaml';
}

/** Whether a path can be a model file: YAML, Jinja or JavaScript, and no query file. */
export function isModelPath(path: string): boolean {
  return /\.(?:ya?ml|jinja|js)$/.test(path) && !isQueryPath(path);
}

/** Reads a model file. Never throws: what cannot be read is among its problems. */
export function parseFile(path: string, text: string): ModelFile {
  if (text.includes('\0')) {
    const problem: SyntaxProblem = {
      start: 0,
      end: 1,
      code: 'yaml-syntax',
      message: 'This is a binary file, not a model.',
    };
    return {
      path,
      language: 'yaml',
      text,
      chunks: [],
      problems: [problem],
      jinja: [],
      templated: false,
      conflicted: false,
    };
  }
  return readable(path, text, () =>
    languageOf(path) === 'script' ? parseScriptFile(path, text) : parseYamlFile(path, text),
  );
}

/** How many characters may be read for each character of a file: broken text is read several times. */
const LOOKS = 60;
const LEAST = 2_000_000;

/** What a reader makes of a text, within what a text of its length may cost; else a file of which nothing is known. */
export function readable(path: string, text: string, read: () => ModelFile): ModelFile {
  const reason = unreadable(text);
  if (reason !== undefined) return unreadFile(path, text, reason);
  try {
    return withinWork(LEAST + LOOKS * text.length, read);
  } catch (error) {
    if (error instanceof TooMuchWork)
      return unreadFile(path, text, 'it has too many errors to be parsed in reasonable time');
    // The stack of a parser that calls itself for each operator of a long chain.
    if (error instanceof RangeError) return unreadFile(path, text, 'its expressions are too long');
    throw error;
  }
}

/** A file that is not read: its cubes are unknown, and it says why. */
export function unreadFile(path: string, text: string, reason: string): ModelFile {
  const problem: SyntaxProblem = {
    start: 0,
    end: Math.min(1, text.length),
    code: 'not-checked',
    message: `Modelbench does not check this file: ${reason}.`,
  };
  return {
    path,
    language: languageOf(path),
    text,
    chunks: [],
    problems: [problem],
    jinja: [],
    templated: true,
    conflicted: false,
  };
}

function parseScriptFile(path: string, text: string): ModelFile {
  const conflicts = maskConflicts(text);
  const { entities, generates, ...parsed } = parseScript(conflicts.text);
  const source = { ...parsed, section: '', kind: 'script', templated: false } as const;
  const chunk = chunkOfScript(source, entities);
  return {
    path,
    language: 'script',
    text,
    chunks: [{ start: 0, sectionStart: 0, chunk }],
    problems: conflicts.problems,
    jinja: [],
    templated: generates,
    conflicted: conflicts.problems.length > 0,
  };
}

function parseYamlFile(path: string, text: string): ModelFile {
  const conflicts = maskConflicts(text);
  // A byte order mark is not a character of the first key; a line break in its place moves nothing.
  const plain = unifyBreaks(conflicts.text.startsWith('\uFEFF') ? `\n${conflicts.text.slice(1)}` : conflicts.text);
  const masked =
    path.endsWith('.jinja') || isTemplate(plain) ? maskJinja(plain) : { text: plain, spans: [], problems: [] };
  const structural = structuralRanges(masked.spans, plain);
  let cut = cutText(masked.text, structural);
  const joined = joinLongQuotes(masked.text, cut.chunks);
  if (joined !== undefined) cut = cutText(joined, structural);
  return {
    path,
    language: 'yaml',
    text,
    chunks: cut.chunks,
    problems: [...conflicts.problems, ...masked.problems, ...cut.problems],
    templated: structural.length > 0,
    jinja: masked.spans,
    conflicted: conflicts.problems.length > 0,
  };
}

/** What a template rendered to. */
export interface RenderedText {
  readonly text: string;
  /** Ranges that come out zero, one or many times, in order. */
  readonly unsure: readonly Range[];
  /** Where any lines may come out. */
  readonly anything: readonly number[];
}

/** Reads what a template rendered to, as a file of its own; offsets are those of the rendered text. */
export function parseRendered(path: string, { text, unsure, anything }: RenderedText): ModelFile {
  const points = anything.map((at) => ({ start: at, end: at + 1 }));
  const structural = [...unsure, ...points].sort((a, b) => a.start - b.start);
  return readable(path, text, () => {
    const plain = unifyBreaks(text);
    let cut = cutText(plain, structural, points);
    const joined = joinLongQuotes(plain, cut.chunks);
    if (joined !== undefined) cut = cutText(joined, structural, points);
    const { chunks, problems } = cut;
    return { path, language: 'yaml', text, chunks, problems, templated: false, jinja: [], conflicted: false };
  });
}

/** A carriage return alone is a line break, too; in the text that is parsed it is the usual one. */
export function unifyBreaks(text: string): string {
  return text.includes('\r') && /\r(?!\n)/.test(text) ? text.replaceAll(/\r(?!\n)/g, '\n') : text;
}

/** Cuts a masked text into its chunks and parses them. */
function cutText(
  text: string,
  structural: readonly Range[],
  open: readonly Range[] = structural,
): { readonly chunks: readonly PlacedChunk[]; readonly problems: readonly SyntaxProblem[] } {
  const { ranges, problems } = splitYaml(text);
  const scanner = new Scanner(text);
  const isTemplated = overlaps(structural);
  const isOpen = open === structural ? undefined : overlaps(open);
  const chunks = ranges.map((range): PlacedChunk => {
    const templated = isTemplated(range);
    const chunk = scanChunk(range, scanner, templated, isOpen?.(range) ?? templated);
    return { start: range.start, sectionStart: range.sectionStart, chunk };
  });
  // Where statements stand in front of items, their columns say nothing.
  const isOdd = (problem: SyntaxProblem): boolean => problem.message === MISPLACED && structural.length > 0;
  return { chunks, problems: problems.filter((problem) => !isOdd(problem) && !isText(problem, chunks)) };
}

/** Whether a chunk overlaps one of some ranges; both are asked in order. */
function overlaps(ranges: readonly Range[]): (range: Range) => boolean {
  let at = 0;
  return ({ start, end }) => {
    while ((ranges[at]?.end ?? Infinity) <= start) at++;
    return (ranges[at]?.start ?? Infinity) < end;
  };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Whether what looks like a list item in the wrong place is a line of a text. */
function isText({ message, start }: SyntaxProblem, chunks: readonly PlacedChunk[]): boolean {
  if (message !== MISPLACED) return false;
  const around = chunks.findLast((placed) => placed.start <= start);
  return around !== undefined && around.chunk.problems.length === 0;
}

/** Parses one list item of a YAML file; `text` is masked. */
export function parseItem(section: string, text: string): Chunk {
  return scanChunk({ section, kind: 'item', start: 0, end: text.length }, new Scanner(text), false, false);
}

function scanChunk(
  { section, kind, start, end }: Pick<ChunkRange, 'section' | 'kind' | 'start' | 'end'>,
  scanner: Scanner,
  templated: boolean,
  open: boolean,
): Chunk {
  const text = scanner.text.slice(start, end);
  const tape = scanFast(scanner, start, end);
  if (tape) return new Chunk({ section, kind, text, problems: [], templated, open, locals: NO_LOCALS }, tape);
  const { node, problems } = parseWhole(text);
  return chunkOfTree(
    { section, kind, text, problems: quoteHint(text, problems), templated, open, locals: NO_LOCALS },
    node,
  );
}

/** `sql: {CUBE}.x` without quotes is the commonest slip: say so instead of what the parser makes of it. */
function quoteHint(text: string, problems: readonly SyntaxProblem[]): readonly SyntaxProblem[] {
  return problems.map((problem) => {
    const lineStart = text.lastIndexOf('\n', problem.start - 1) + 1;
    const lineEnd = text.indexOf('\n', problem.start);
    const line = text.slice(lineStart, lineEnd === -1 ? text.length : lineEnd);
    const match = /^(\s*(?:- )?\w*sql\w*:\s+)(\{\w[\w.]*\}.*?)\s*$/.exec(line);
    if (!match) return problem;
    const start = lineStart + (match[1] ?? '').length;
    return {
      start,
      end: start + (match[2] ?? '').length,
      code: 'unquoted-braces',
      message: 'SQL that starts with { must be in quotes: YAML reads it as a mapping.',
    };
  });
}
