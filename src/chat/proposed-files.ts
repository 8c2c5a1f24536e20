import { checkName, nameProblemText } from '#base/file-names.ts';
import { isInside, normalizePath } from '#base/path.ts';

/** A whole file that an answer proposes. */
export interface ProposedFile {
  /** `/`-relative to the linked folder. */
  readonly path: string;
  /** With a line end at its end. */
  readonly text: string;
}

/** Files of a data model; nothing else is written on an agent's word. */
const MODEL_FILE = /\.(?:ya?ml|js|jinja)$/i;
const LONGEST_PATH = 200;
/** Where models usually are in a repository whose link names no folder for them. */
const MODEL_FOLDER = /(?:^|\/)(?:model|schema|cubes|views)\//;
const MODEL_YAML = /^(?:cubes|views|view_groups)\s*:/m;

/**
 * The files that an answer proposes: fenced blocks whose path the agent names, in the fence's own line (`yaml
 * model/cubes/a.yml`, `title="…"`), in a comment on the first line, or in the line above. A path that leads out of the
 * folder, into a hidden one or to anything but a model file is none. Of two texts for a path the later one counts.
 */
export function proposedFiles(markdown: string): readonly ProposedFile[] {
  if (!markdown.includes('```')) return [];
  const files = new Map<string, ProposedFile>();
  for (const { info, lines, above } of fences(markdown)) {
    const [first = '', ...rest] = lines;
    const comment = /^\s*(?:#|\/\/|\{#)\s*(?:file|path)?:?\s*(\S+?)\s*(?:#\})?\s*$/i.exec(first)?.[1];
    const named = pathIn(info) ?? pathOf(comment);
    const path = named ?? onlyPathIn(above);
    // A comment that only names the file is not part of it.
    const body = pathOf(comment) === undefined ? lines : rest;
    if (path !== undefined && body.some((line) => line.trim() !== '')) {
      files.set(path, { path, text: `${body.join('\n').trimEnd()}\n` });
    }
  }
  return [...files.values()];
}

/** Whether a path is one that a model file may be written to, inside the model's folder. */
export function isModelFile(path: string, modelPath: string): boolean {
  return pathOf(path) === path && isInside(path, modelPath);
}

/**
 * Whether a proposed file belongs to the model. Where the link names no folder (`modelPath` is empty), the repository holds
 * other programs too: then scripts must lie in a folder for models, and YAML must define cubes or views or lie there.
 */
export function isProposable({ path, text }: ProposedFile, modelPath: string): boolean {
  if (!isModelFile(path, modelPath)) return false;
  if (modelPath !== '' || MODEL_FOLDER.test(path)) return true;
  return /\.ya?ml$/i.test(path) && MODEL_YAML.test(text);
}

/** Why a path that the user types cannot become a model file. */
export function newFileProblem(path: string): string | undefined {
  const problem = checkName(path);
  if (problem !== undefined) return `The name ${nameProblemText(problem)}.`;
  return MODEL_FILE.test(path) ? undefined : 'A model file ends in .yml, .yaml, .js or .jinja.';
}

interface Fence {
  readonly info: string;
  readonly lines: readonly string[];
  /** The last line with words before it. */
  readonly above: string;
}

function fences(markdown: string): readonly Fence[] {
  const found: Fence[] = [];
  let open: { readonly mark: string; readonly info: string; readonly above: string; lines: string[] } | undefined;
  let above = '';
  for (const line of markdown.split(/\r?\n/)) {
    const [, mark, info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open) {
      const closes = mark !== undefined && mark.startsWith(open.mark) && info.trim() === '';
      if (!closes) open.lines.push(line);
      else {
        found.push(open);
        open = undefined;
        above = '';
      }
    } else if (mark !== undefined) open = { mark, info: info.trim(), above, lines: [] };
    else if (line.trim() !== '') above = line;
  }
  return found;
}

/** The path in a fence's own line: `yaml a/b.yml`, `yaml:a/b.yml`, `yaml title="a/b.yml"`. */
function pathIn(info: string): string | undefined {
  const words = info.split(/[\s:=]+/).map((word) => word.replaceAll(/^["'{]+|["'}]+$/g, ''));
  return words
    .slice(1)
    .map(pathOf)
    .find((path) => path !== undefined);
}

/** The one path that a line speaks of; of several, none is meant for sure. */
function onlyPathIn(line: string): string | undefined {
  const words = [...line.matchAll(/[`*"(]([^`*"()\s]+)[`*")]/g)].flatMap(([, word]) => pathOf(word) ?? []);
  return new Set(words).size === 1 ? words[0] : undefined;
}

function pathOf(word: string | undefined): string | undefined {
  if (word === undefined || !MODEL_FILE.test(word) || word.length > LONGEST_PATH) return undefined;
  return checkName(word) === undefined ? normalizePath(word) : undefined;
}
