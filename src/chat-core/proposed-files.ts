import { checkName, nameProblemText } from '#base/file-names.ts';
import { isInside, normalizePath } from '#base/path.ts';
import { isUnifiedDiff, pathOfDiff } from '#base/unified-diff.ts';

/** A block of code that an answer gives for a file. How it relates to the file depends on the file's content. */
export interface ProposedBlock {
  /** As the answer names it; if {@link pathProblem} accepts the path, it is `/`-separated and relative to the linked folder. */
  readonly path: string;
  /** As the answer names it; empty if it does not. */
  readonly language: string;
  /** Line breaks are `\n`. */
  readonly text: string;
  /** The line above the block. */
  readonly above: string;
}

/** Files of a data model; an agent may not cause any other file to be written. */
const MODEL_FILE = /\.(?:ya?ml|js|jinja)$/i;
const LONGEST_PATH = 200;
/** The usual folders of models in a repository whose link names no folder for them. */
const MODEL_FOLDER = /(?:^|\/)(?:model|schema|cubes|views)\//;
const MODEL_YAML = /^(?:cubes|views|view_groups)\s*:/m;

/**
 * Returns the blocks that an answer gives for files, in order. The path comes from the fence (`yaml model/cubes/a.yml`,
 * `title="…"`), from a patch, a comment in the first line, the line above, or the heading above that.
 */
export function proposedBlocks(markdown: string): readonly ProposedBlock[] {
  if (!markdown.includes('```') && !markdown.includes('~~~')) return [];
  return fences(markdown).flatMap((fence) => {
    const { info, above } = fence;
    const language = /^[\w+#-]*(?![\w/.\\])/.exec(info)?.[0] ?? '';
    const outside = pathIn(info) ?? diffPath(fence.lines) ?? onlyPathIn(above) ?? onlyPathIn(fence.heading);
    return pieces(fence.lines).flatMap(({ path, lines }): ProposedBlock[] => {
      const target = path ?? outside;
      const text = lines.join('\n').trimEnd();
      return target === undefined || text.trim() === '' ? [] : [{ path: target, language, text: `${text}\n`, above }];
    });
  });
}

/** Returns the paths that an answer has blocks for. */
export function proposedPaths(markdown: string): readonly string[] {
  return [...new Set(proposedBlocks(markdown).map(({ path }) => path))];
}

/** Returns a sentence if no file may be written at a path in an answer, otherwise `undefined`. */
export function pathProblem(path: string, text: string, modelPath: string): string | undefined {
  const problem = checkName(path);
  if (problem !== undefined) return `The path ${nameProblemText(problem)}.`;
  if (!isInside(path, modelPath)) return `Outside of the model’s folder (${modelPath}).`;
  return isProposable(path, text, modelPath) ? undefined : 'Not a file of the data model.';
}

/** Whether a model file may be written to a path, which must lie inside the model's folder. */
export function mayWriteModelFile(path: string, modelPath: string): boolean {
  return MODEL_FILE.test(path) && checkName(path) === undefined && isInside(path, modelPath);
}

/**
 * Whether a proposed file belongs to the model. If the link names no folder (`modelPath` is empty), the repository contains other
 * programs as well: scripts must then lie in a folder for models, and YAML must define cubes or views or lie there.
 */
export function isProposable(path: string, text: string, modelPath: string): boolean {
  if (!mayWriteModelFile(path, modelPath)) return false;
  if (modelPath !== '' || MODEL_FOLDER.test(path)) return true;
  return /\.ya?ml$/i.test(path) && MODEL_YAML.test(text);
}

/** Returns why a path that the user types cannot become a model file. */
export function newFileProblem(path: string): string | undefined {
  const problem = checkName(path);
  if (problem !== undefined) return `The name ${nameProblemText(problem)}.`;
  return MODEL_FILE.test(path) ? undefined : 'A model file ends in .yml, .yaml, .js or .jinja.';
}

interface Fence {
  readonly info: string;
  readonly lines: readonly string[];
  /** The last non-empty line before the fence. */
  readonly above: string;
  /** The last heading before the fence. */
  readonly heading: string;
}

interface OpenFence extends Fence {
  readonly mark: string;
  /** The number of quotations around the block. */
  readonly depth: number;
  /** The columns of a list around the block, within the innermost quotation. */
  readonly indent: number;
  readonly lines: string[];
}

/** Line starts that quote or list what follows, and the fence after them. */
const FENCE = /^((?:[ \t]*(?:>|[-*+]|\d+[.)]))*[ \t]*)(`{3,}|~{3,})([\s\S]*)/;

function fences(markdown: string): readonly Fence[] {
  const found: Fence[] = [];
  let open: OpenFence | undefined;
  let [above, heading] = ['', ''];
  for (const line of markdown.split(/\r\n?|\n/)) {
    const inside = open && withoutQuotes(line, open.depth);
    if (open && inside !== undefined && !isEnd(inside, open)) {
      open.lines.push(withoutSpace(inside, open.indent));
      continue;
    }
    if (open) {
      found.push(open);
      open = undefined;
      above = '';
      if (inside !== undefined) continue;
      // The quotation ended, and with it the block.
    }
    open = openedBy(line, above, heading);
    const text = open ? '' : line.replace(/^(?:[ \t]*>)+[ \t]?/, '');
    if (text.trim() !== '') above = text;
    if (isHeading(text)) heading = text;
  }
  return found;
}

function openedBy(line: string, above: string, heading: string): OpenFence | undefined {
  const [, start = '', mark, info = ''] = FENCE.exec(line) ?? [];
  if (mark === undefined || info.includes('`')) return undefined;
  const quotes = start.split('>');
  const inner = quotes.at(-1) ?? '';
  const indent = quotes.length > 1 && inner.startsWith(' ') ? inner.length - 1 : inner.length;
  return { mark, depth: quotes.length - 1, indent, info: info.trim(), above, heading, lines: [] };
}

function isEnd(line: string, { mark }: OpenFence): boolean {
  const text = line.trim();
  return text.startsWith(mark) && FENCE.exec(text)?.[3]?.trim() === '';
}

/** Removes the marks of so many quotations; returns `undefined` if the line has fewer. */
function withoutQuotes(line: string, depth: number): string | undefined {
  let rest = line;
  for (let level = 0; level < depth; level++) {
    const mark = /^[ \t]*> ?/.exec(rest)?.[0];
    if (mark === undefined) return undefined;
    rest = rest.slice(mark.length);
  }
  return rest;
}

/** Removes the common indentation of a block in a list. */
function withoutSpace(line: string, most: number): string {
  const space = line.length - line.trimStart().length;
  return line.slice(Math.min(space, most));
}

function isHeading(line: string): boolean {
  return /^ {0,3}#{1,6}\s|^\s*(?:\d+[.)]\s*)?\*\*.*\*\*:?\s*$/.test(line);
}

/** Splits a block into sections, each with the path that a comment above it names. */
function pieces(lines: readonly string[]): readonly { readonly path: string | undefined; readonly lines: string[] }[] {
  const found: { path: string | undefined; lines: string[] }[] = [{ path: undefined, lines: [] }];
  for (const line of lines) {
    const path = pathInComment(line);
    if (path !== undefined) found.push({ path, lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  const [first, second, ...more] = found;
  // The comment names the file of the code above it.
  if (first && second && more.length === 0 && hasCode(first.lines) && !hasCode(second.lines)) return [first];
  return found
    .map(({ path, lines: own }) => ({ path, lines: withoutMarker(own) }))
    .filter((piece) => hasCode(piece.lines));
}

/** Removes a `---` that separates two files. */
function withoutMarker(lines: readonly string[]): string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return last > 0 && lines[last]?.trim() === '---' ? lines.slice(0, last) : [...lines];
}

function hasCode(lines: readonly string[]): boolean {
  return lines.some((line) => line.trim() !== '' && line.trim() !== '---');
}

const OPENS_COMMENT = /^(?:#+|\/\/|\/\*|\{#|<!--)/;
const CLOSES_COMMENT = /(?:\*\/|#\}|-->)$/;
/** Rules and spaces around the content of a comment. */
const RULES = /^[\s=-]+|(?<![\s=-])[\s=-]+$/g;
const NAMED_PATH = /^(?:(?:file|path)(?=[\s:])\s*)?(?::\s*)?[`'"]?([^\s`'"]+)[`'"]?$/i;

/** Returns the path in a comment that starts a line and contains nothing else. */
function pathInComment(line: string): string | undefined {
  const comment = line.trim();
  const opened = OPENS_COMMENT.exec(comment)?.[0];
  if (opened === undefined) return undefined;
  const inner = comment.slice(opened.length).replace(CLOSES_COMMENT, '').replaceAll(RULES, '');
  return pathOf(NAMED_PATH.exec(inner)?.[1]);
}

function diffPath(lines: readonly string[]): string | undefined {
  const text = lines.join('\n');
  return isUnifiedDiff(text) ? pathOf(pathOfDiff(text)) : undefined;
}

/** Returns the path in the info string of a fence: `a/b.yml`, `yaml a/b.yml`, `yaml:a/b.yml`, `yaml title="a/b.yml"`. */
function pathIn(info: string): string | undefined {
  const words = info.split(/[\s:=]+/).map((word) => word.replaceAll(/^["'{]+|(?<!["'}])["'}]+$/g, ''));
  return words.map(pathOf).find((path) => path !== undefined);
}

/** Returns the path in a line if there is exactly one; of several, it is unclear which is meant. */
function onlyPathIn(line: string): string | undefined {
  const marked = [...line.matchAll(/[`*"'(]([^`*"'()\s]+)[`*"')]/g)].flatMap(([, word]) => pathOf(word) ?? []);
  const plain = line
    .split(/\s+/)
    .flatMap((word) => pathOf(word.replaceAll(/^[`*"'([#]+|(?<![`*"')\],:;.])[`*"')\],:;.]+$/g, '')) ?? []);
  const found = new Set([...marked, ...plain]);
  return found.size === 1 ? [...found][0] : undefined;
}

/** Also returns invalid paths, so that the user sees why they are refused. */
function pathOf(word: string | undefined): string | undefined {
  if (word === undefined || !MODEL_FILE.test(word) || word.length > LONGEST_PATH || word.includes('://'))
    return undefined;
  const path = word.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  return checkName(path) === undefined ? normalizePath(path) : path;
}
