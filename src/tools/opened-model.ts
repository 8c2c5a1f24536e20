import { LineIndex } from '#base/line-index.ts';
import { isModelPath, type ModelFile, type Part, parseFile } from '#model/file.ts';
import { templateGlobals } from '#model/globals.ts';
import { ModelIndex, rangeInFile } from '#model/index.ts';
import { looksLikeModel } from '#model/looks-like-model.ts';
import type { ModelSnapshot, ToolPorts } from './ports.ts';
import { type ToolContext, ToolError } from './tool.ts';

/** A location in a file, counted from 1 as editors and compilers count. */
export interface Location {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Models that were read already, as long as their ports remember the snapshots. */
const known = new WeakMap<ModelSnapshot, OpenedModel>();

/** Reads the model that tools work on; throws `ToolError` where there is none. */
export async function openModel(
  { model }: Pick<ToolPorts, 'model'>,
  { signal, progress }: ToolContext,
): Promise<OpenedModel> {
  progress('Reading the model');
  const opened = openSnapshot(await model(signal));
  if (opened.index.size === 0)
    throw new ToolError('usage', 'There is no data model: no file defines a cube or a view.');
  return opened;
}

/** Reads a snapshot of a model, which may be empty; the same one only once. */
export function openSnapshot(snapshot: ModelSnapshot): OpenedModel {
  const opened = known.get(snapshot) ?? new OpenedModel(snapshot);
  known.set(snapshot, opened);
  return opened;
}

/** A model that was read, with the locations of what is in it. */
export class OpenedModel {
  readonly index: ModelIndex;
  /** What every path begins with; empty or ending in `/`. */
  readonly root: string;
  readonly #lines = new Map<ModelFile, LineIndex>();

  /** Reads every file; never throws, what cannot be read is among the problems of its file. */
  constructor({ root, files, globals, isMixed }: ModelSnapshot) {
    this.root = root;
    this.index = new ModelIndex(root);
    this.index.templateGlobals = {
      names: globals === undefined ? [] : templateGlobals(globals).map(({ name }) => name),
      // In a folder that is not known to be a model, the file may lie elsewhere.
      isPython: globals !== undefined || isMixed,
    };
    for (const [path, text] of files)
      if (isModelPath(path) && (!isMixed || looksLikeModel(path, text))) this.index.set(parseFile(path, text));
  }

  /** The texts of its files by path. */
  get texts(): ReadonlyMap<string, string> {
    return new Map([...this.index.files()].map(({ path, text }) => [path, text]));
  }

  /** The location of a range of a file; offsets are the file's, in UTF-16 code units. */
  locationIn(file: ModelFile, start: number, end: number): Location {
    const lines = this.#linesOf(file);
    const from = lines.positionAt(start);
    const to = lines.positionAt(Math.max(start, end));
    return {
      path: file.path,
      line: from.line + 1,
      column: from.character + 1,
      endLine: to.line + 1,
      endColumn: to.character + 1,
    };
  }

  /** The location of a range of a part; `undefined` where the part is of another model. */
  locationOf(part: Part, start: number, end: number): Location | undefined {
    const placed = this.index.placement(part);
    if (!placed) return undefined;
    const range = rangeInFile(placed, start, end);
    return this.locationIn(placed.file, range.start, range.end);
  }

  #linesOf(file: ModelFile): LineIndex {
    let lines = this.#lines.get(file);
    if (!lines) {
      lines = new LineIndex(file.text);
      this.#lines.set(file, lines);
    }
    return lines;
  }
}
