import { maskConflicts } from './syntax/conflicts.ts';
import { Chunk, chunkOfScript, chunkOfTree } from './chunk.ts';
import { type FileLanguage, languageOf } from '#model/project/model-path.ts';
import { scanSimple } from '#model/syntax/yaml/simple-yaml.ts';
import { isTemplate, maskJinja, structuralRanges } from '#model/syntax/jinja/jinja.ts';
import type { JinjaSpan } from '#model/syntax/jinja/span.ts';
import { parseWhole } from './syntax/parse.ts';
import { ChunkScanner } from '#model/syntax/yaml/scanner.ts';
import { joinLongQuotes } from '#model/syntax/yaml/long-quotes.ts';
import { parseScript } from '#model/syntax/script/script.ts';
import type { ModuleText } from '#model/syntax/script/modules.ts';
import { type ChunkRange, INDENTED, MISPLACED, splitYaml } from '#model/syntax/yaml/split.ts';
import { TooMuchWork, withinWork } from './syntax/work.ts';
import { whyUnreadable } from './limits.ts';
import type { SyntaxProblem } from './syntax/tree.ts';

export type { Chunk } from './chunk.ts';

export interface PlacedChunk {
  /** Offset at which the chunk starts in the file. */
  readonly start: number;
  /** Offset of its section's key in the file. */
  readonly sectionStart: number;
  /** The text between the chunk before and this one: comments, and the key of its section. */
  readonly lead: string;
  readonly chunk: Chunk;
}

/** A file of a model: text → chunks → entities. Immutable; never fails. */
export interface ModelFile {
  readonly path: string;
  readonly language: FileLanguage;
  readonly text: string;
  readonly chunks: readonly PlacedChunk[];
  /** Problems outside all chunks: template blocks, conflicts, misplaced list items. Offsets are the file's. */
  readonly problems: readonly SyntaxProblem[];
  readonly jinja: readonly JinjaSpan[];
  /** Whether a template or a function determines its cubes and views. */
  readonly templated: boolean;
  /** Whether conflict markers made some of it unreadable. */
  readonly conflicted: boolean;
  /** Whether the texts of the chunks are those of the file, with nothing masked or joined. */
  readonly verbatim: boolean;
}

const NO_LOCALS: ReadonlySet<string> = new Set();

/**
 * Parses a model file. Never throws: unreadable text becomes one of its problems. A document that was never saved has its language from
 * the editor.
 */
export function parseFile(path: string, text: string, language = languageOf(path)): ModelFile {
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
      verbatim: false,
    };
  }
  const read = (): ModelFile => (language === 'script' ? parseScriptFile(path, text) : parseYamlFile(path, text));
  return readable(path, text, read, language);
}

/** Maximum number of characters read per character of a file: broken text is read several times. */
const LOOKS = 60;
const LEAST = 2_000_000;

/** Runs a parser within the work limit for a text of this length; otherwise returns an unread file. */
function readable(path: string, text: string, read: () => ModelFile, language = languageOf(path)): ModelFile {
  const reason = whyUnreadable(text);
  return reason === undefined ? withinLimits(path, text, read, language) : unreadFile(path, text, reason, language);
}

/** Runs a parser as {@link readable}, for a text of which the caller has checked what changed. */
export function withinLimits(
  path: string,
  text: string,
  read: () => ModelFile,
  language = languageOf(path),
): ModelFile {
  try {
    return withinWork(LEAST + LOOKS * text.length, read);
  } catch (error) {
    if (error instanceof TooMuchWork)
      return unreadFile(path, text, 'it has too many errors to be parsed in reasonable time', language);
    // A recursive parser overflows the stack on a long chain of operators.
    if (error instanceof RangeError) return unreadFile(path, text, 'its expressions are too long', language);
    throw error;
  }
}

/** Returns a file that was not parsed: its cubes are unknown, and a problem gives the reason. */
export function unreadFile(path: string, text: string, reason: string, language = languageOf(path)): ModelFile {
  const problem: SyntaxProblem = {
    start: 0,
    end: Math.min(1, text.length),
    code: 'not-checked',
    message: `Modelbench does not check this file: ${reason}.`,
  };
  return {
    path,
    language,
    text,
    chunks: [],
    problems: [problem],
    jinja: [],
    templated: true,
    conflicted: false,
    verbatim: false,
  };
}

/**
 * Parses a script together with the files of the model that it imports (docs/model-language.md#scripts). `files`: their texts by the
 * paths that scripts import, with those that they import.
 */
export function linkFile({ path, text }: ModelFile, files: readonly ModuleText[]): ModelFile {
  return readable(path, text, () => parseScriptFile(path, text, files), 'script');
}

function parseScriptFile(path: string, text: string, files: readonly ModuleText[] = []): ModelFile {
  const conflicts = maskConflicts(text);
  const { entities, generates, isComplete, changesImports, homes, sqlNames, ...parsed } = parseScript(
    conflicts.text,
    files,
  );
  const script = { isComplete, changesImports, homes, sqlNames, files: parsed.files, length: text.length };
  const source = { ...parsed, section: '', kind: 'script', templated: false, script } as const;
  const chunk = chunkOfScript(source, entities);
  return {
    path,
    language: 'script',
    text,
    chunks: [{ start: 0, sectionStart: 0, lead: '', chunk }],
    problems: conflicts.problems,
    jinja: [],
    templated: generates,
    conflicted: conflicts.problems.length > 0,
    verbatim: false,
  };
}

function parseYamlFile(path: string, text: string): ModelFile {
  const conflicts = maskConflicts(text);
  const plain = unifyBreaks(withoutMark(conflicts.text));
  const masked =
    path.endsWith('.jinja') || isTemplate(plain) ? maskJinja(plain) : { text: plain, spans: [], problems: [] };
  const structural = structuralRanges(masked.spans, plain);
  let cut = cutText(masked.text, text, structural);
  const joined = joinLongQuotes(masked.text, cut.chunks);
  if (joined !== undefined) cut = cutText(joined, text, structural);
  return {
    path,
    language: 'yaml',
    text,
    chunks: cut.chunks,
    problems: [...conflicts.problems, ...masked.problems, ...cut.problems],
    templated: structural.length > 0,
    jinja: masked.spans,
    conflicted: conflicts.problems.length > 0,
    verbatim: joined === undefined && masked.text === text,
  };
}

/** The output of a template. */
export interface RenderedText {
  readonly text: string;
  /** Ranges that are rendered zero, one or many times, in order. */
  readonly unsure: readonly Range[];
  /** Offsets at which any lines may be rendered. */
  readonly anything: readonly number[];
}

/** Parses the output of a template as a file of its own; offsets are those of the rendered text. */
export function parseRendered(path: string, { text, unsure, anything }: RenderedText): ModelFile {
  const points = anything.map((at) => ({ start: at, end: at + 1 }));
  const structural = [...unsure, ...points].sort((a, b) => a.start - b.start);
  return readable(path, text, () => {
    const plain = unifyBreaks(withoutMark(text));
    let cut = cutText(plain, text, structural, points);
    const joined = joinLongQuotes(plain, cut.chunks);
    if (joined !== undefined) cut = cutText(joined, text, structural, points);
    const verbatim = joined === undefined && plain === text;
    return { path, language: 'yaml', text, ...cut, templated: false, jinja: [], conflicted: false, verbatim };
  });
}

/** Replaces a byte order mark, which is not a character of the first key, by a line break, which keeps all offsets. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? `\n${text.slice(1)}` : text;
}

/** Replaces lone carriage returns, which are line breaks too, by the usual line break for the parser. */
export function unifyBreaks(text: string): string {
  return text.includes('\r') && /\r(?!\n)/.test(text) ? text.replaceAll(/\r(?!\n)/g, '\n') : text;
}

/** Splits a masked text into its chunks and parses them; `written` is the text before it was masked. */
function cutText(
  text: string,
  written: string,
  structural: readonly Range[],
  open: readonly Range[] = structural,
): { readonly chunks: readonly PlacedChunk[]; readonly problems: readonly SyntaxProblem[] } {
  const { ranges, problems } = splitYaml(text);
  const scanner = new ChunkScanner(text);
  const isTemplated = overlaps(structural);
  const isOpen = open === structural ? undefined : overlaps(open);
  let done = 0;
  const chunks = ranges.map((range): PlacedChunk => {
    const templated = isTemplated(range);
    const chunk = scanChunk(range, scanner, templated, isOpen?.(range) ?? templated);
    const lead = written.slice(done, range.start);
    done = range.end;
    return { start: range.start, sectionStart: range.sectionStart, lead, chunk };
  });
  // If statements precede items, their columns are meaningless.
  const isOdd = ({ message }: SyntaxProblem): boolean =>
    structural.length > 0 && (message === MISPLACED || message === INDENTED);
  return { chunks, problems: problems.filter((problem) => !isOdd(problem) && !isText(problem, chunks)) };
}

/** Returns a function that checks whether a chunk overlaps one of the ranges; both must be in order. */
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

/** Checks whether an apparently misplaced list item is a line of a text. */
function isText({ message, start }: SyntaxProblem, chunks: readonly PlacedChunk[]): boolean {
  if (message !== MISPLACED) return false;
  const around = chunks.findLast((placed) => placed.start <= start);
  return around !== undefined && around.chunk.problems.length === 0;
}

/** Parses one list item of a YAML file; `text` is masked. */
export function parseItem(section: string, text: string): Chunk {
  return parseChunk({ section, kind: 'item' }, text);
}

/** Parses a text in place of a chunk of a YAML file. */
export function parseChunk({ section, kind }: Pick<Chunk, 'section' | 'kind'>, text: string): Chunk {
  const range = { section, kind: kind === 'item' ? kind : 'whole', start: 0, end: text.length } as const;
  return scanChunk(range, new ChunkScanner(text), false, false);
}

function scanChunk(
  { section, kind, start, end }: Pick<ChunkRange, 'section' | 'kind' | 'start' | 'end'>,
  scanner: ChunkScanner,
  templated: boolean,
  open: boolean,
): Chunk {
  const text = scanner.text.slice(start, end);
  const tape = scanSimple(scanner, start, end);
  if (tape) return new Chunk({ section, kind, text, problems: [], templated, open, locals: NO_LOCALS }, tape);
  const { node, problems, anchors } = parseWhole(text);
  return chunkOfTree(
    { section, kind, text, problems: quoteHint(text, problems), templated, open, locals: NO_LOCALS, anchors },
    node,
  );
}

/** Replaces the parser's problem by a hint to quote `sql: {CUBE}.x`, the most common mistake. */
function quoteHint(text: string, problems: readonly SyntaxProblem[]): readonly SyntaxProblem[] {
  return problems.map((problem) => {
    const lineStart = text.lastIndexOf('\n', problem.start - 1) + 1;
    const lineEnd = text.indexOf('\n', problem.start);
    const line = text.slice(lineStart, lineEnd === -1 ? text.length : lineEnd);
    const [, before = '', written] = /^(\s*(?:- )?\w*sql\w*:\s+)(\{\w[\w.]*\}.*)/.exec(line) ?? [];
    if (written === undefined) return problem;
    const start = lineStart + before.length;
    return {
      start,
      end: start + written.replace(/\s#.*/, '').trimEnd().length,
      code: 'unquoted-braces',
      message: 'SQL that starts with { must be in quotes: YAML reads it as a mapping.',
    };
  });
}
