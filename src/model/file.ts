import { maskConflicts } from './syntax/conflicts.ts';
import { type JinjaSpan, maskJinja, structuralRanges } from './syntax/jinja.ts';
import { parseYaml } from './syntax/parse.ts';
import { parseScript } from './syntax/script.ts';
import { type Chunk, splitYaml } from './syntax/split.ts';
import type { Entity, EntityKind } from './syntax/entity.ts';
import { findPair, type MapNode, type SyntaxProblem, type TreeNode } from './syntax/tree.ts';

export type FileLanguage = 'yaml' | 'script';

/** A part of a file that was parsed on its own; the same object as long as its text stays the same. */
export interface Part {
  /** The section it stands in: `cubes`, `views` … (empty: the whole file). */
  readonly section: string;
  readonly kind: Chunk['kind'] | 'script';
  /** The text that was parsed: template parts are masked. */
  readonly text: string;
  readonly node: TreeNode | undefined;
  readonly problems: readonly SyntaxProblem[];
  readonly entities: readonly Entity[];
  /** Template statements make parts of it appear zero, one or many times. */
  readonly templated: boolean;
  /** JavaScript only: names that the file declares itself. */
  readonly locals: ReadonlySet<string>;
}

export interface PlacedPart {
  /** Where the part starts in the file. */
  readonly start: number;
  /** Where the key of its section stands in the file. */
  readonly sectionStart: number;
  readonly part: Part;
}

/** A file of a model: text → parts → entities. Immutable; never fails. */
export interface ModelFile {
  readonly path: string;
  readonly language: FileLanguage;
  readonly text: string;
  readonly parts: readonly PlacedPart[];
  /** Problems of no part: template blocks, conflicts, misplaced list items. Offsets are the file's. */
  readonly problems: readonly SyntaxProblem[];
  readonly jinja: readonly JinjaSpan[];
  /** Whether conflict markers made parts of it unreadable. */
  readonly conflicted: boolean;
}

const NO_LOCALS: ReadonlySet<string> = new Set();
const KINDS: Readonly<Record<string, EntityKind>> = { cubes: 'cube', views: 'view', view_groups: 'viewGroup' };

export function languageOf(path: string): FileLanguage {
  return path.endsWith('.js') || path.endsWith('.ts') ? 'script' : 'yaml';
}

/** Whether a path can be a model file: YAML, Jinja or JavaScript. */
export function isModelPath(path: string): boolean {
  return /\.(?:ya?ml|jinja|js)$/.test(path);
}

export function parseFile(path: string, text: string): ModelFile {
  if (text.includes('\0')) {
    const problem: SyntaxProblem = {
      start: 0,
      end: 1,
      code: 'yaml-syntax',
      message: 'This is a binary file, not a model.',
    };
    return { path, language: 'yaml', text, parts: [], problems: [problem], jinja: [], conflicted: false };
  }
  return languageOf(path) === 'script' ? parseScriptFile(path, text) : parseYamlFile(path, text);
}

function parseScriptFile(path: string, text: string): ModelFile {
  const conflicts = maskConflicts(text);
  const { entities, problems, locals } = parseScript(conflicts.text);
  const part: Part = {
    section: '',
    kind: 'script',
    text: conflicts.text,
    node: undefined,
    problems,
    entities,
    templated: false,
    locals,
  };
  return {
    path,
    language: 'script',
    text,
    parts: [{ start: 0, sectionStart: 0, part }],
    problems: conflicts.problems,
    jinja: [],
    conflicted: conflicts.problems.length > 0,
  };
}

function parseYamlFile(path: string, text: string): ModelFile {
  const conflicts = maskConflicts(text);
  const masked = maskJinja(conflicts.text);
  const structural = structuralRanges(masked.spans);
  const split = splitYaml(masked.text);
  let range = 0;
  const parts = split.chunks.map((chunk): PlacedPart => {
    while ((structural[range]?.end ?? Infinity) <= chunk.start) range++;
    const templated = (structural[range]?.start ?? Infinity) < chunk.end;
    return {
      start: chunk.start,
      sectionStart: chunk.sectionStart,
      part: parsePart(chunk, masked.text.slice(chunk.start, chunk.end), templated),
    };
  });
  const problems = [...conflicts.problems, ...masked.problems, ...split.problems];
  return {
    path,
    language: 'yaml',
    text,
    parts,
    problems,
    jinja: masked.spans,
    conflicted: conflicts.problems.length > 0,
  };
}

/** Parses one part of a YAML file; `text` is masked. */
export function parsePart(chunk: Pick<Chunk, 'section' | 'kind'>, text: string, templated: boolean): Part {
  const { node, problems } = parseYaml(text);
  const entities = chunk.kind === 'item' ? itemEntities(chunk.section, node) : wholeEntities(node);
  return {
    section: chunk.section,
    kind: chunk.kind,
    text,
    node,
    problems: quoteHint(text, problems),
    entities,
    templated,
    locals: NO_LOCALS,
  };
}

function itemEntities(section: string, node: TreeNode | undefined): Entity[] {
  const kind = KINDS[section];
  if (!kind || node?.kind !== 'seq') return [];
  return node.items.flatMap((item) => (item?.kind === 'map' ? [entityOf(kind, item)] : []));
}

function wholeEntities(node: TreeNode | undefined): Entity[] {
  if (node?.kind !== 'map') return [];
  return node.pairs.flatMap((pair) => itemEntities(pair.key.value, pair.value));
}

function entityOf(kind: EntityKind, node: MapNode): Entity {
  const name = findPair(node, 'name')?.value;
  return { kind, node, conditional: false, nameNode: name?.kind === 'scalar' ? name : undefined };
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
