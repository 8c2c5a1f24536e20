import { nextTurn } from '#base/async.ts';
import { LineIndex } from '#base/line-index.ts';
import { type ModelFile, type Chunk, parseFile } from '#model/file.ts';
import { isModelPath } from '#model/project/model-path.ts';
import { templateGlobals } from '#model/project/globals.ts';
import { ModelIndex, rangeInFile } from '#model/index.ts';
import { looksLikeModel } from '#model/project/looks-like-model.ts';
import { LARGEST_TEMPLATES, ModelTemplates } from '#model/templates/model-templates.ts';
import type { ModelSnapshot, ToolPorts } from '#tools/ports.ts';
import { type ToolContext, ToolError } from '#tools/tool.ts';

/** A location in a file, counted from 1 as editors and compilers count. */
export interface Location {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Models that were already read, as long as their ports retain the snapshots. */
const known = new WeakMap<ModelSnapshot, OpenedModel>();

/** Reads the model that tools work on; throws `ToolError` if there is none. */
export async function openModel(
  ports: Pick<ToolPorts, 'model' | 'render'>,
  context: Pick<ToolContext, 'signal' | 'progress'>,
): Promise<OpenedModel> {
  context.progress('Reading the model');
  const opened = await openSnapshot(await ports.model(context.signal), context, ports);
  if (opened.index.size === 0)
    throw new ToolError(
      'usage',
      'There is no data model: no file defines a cube or a view. Choose the folder of a project that has one.',
    );
  return opened;
}

/** The number of files to read before other work of the process may run: in the editor, it responds to the user meanwhile. */
const FILES_AT_ONCE = 10;

/**
 * Reads a snapshot of a model, which may be empty, and renders its templates. Each snapshot is read only once. Rejects when the
 * signal aborts.
 */
export async function openSnapshot(
  snapshot: ModelSnapshot,
  { signal }: Pick<ToolContext, 'signal'>,
  { render }: Pick<ToolPorts, 'render'> = {},
): Promise<OpenedModel> {
  const before = known.get(snapshot);
  if (before) return before;
  const opened = new OpenedModel(snapshot);
  for (const [at, [path, text]] of [...snapshot.files].entries()) {
    if (at % FILES_AT_ONCE === 0) await nextTurn();
    signal.throwIfAborted();
    opened.add(path, text);
  }
  const templates = new ModelTemplates(opened.index);
  const nameOf = (path: string): string => path.slice(opened.root.length);
  const questions = templates.questions(nameOf);
  if (render && questions.length > 0 && templates.size <= LARGEST_TEMPLATES) {
    // If the engine cannot render the templates, their source counts.
    const answer = await render(questions).catch(() => undefined);
    signal.throwIfAborted();
    if (!answer) return opened;
    for (const result of templates.results(answer, nameOf)) opened.index.setTemplate(result);
  }
  known.set(snapshot, opened);
  return opened;
}

/** A model with the locations of everything in it. */
export class OpenedModel {
  readonly index: ModelIndex;
  /** The beginning of every path; empty or ending in `/`. */
  readonly root: string;
  /** The texts of query files about the model by path. */
  readonly queries: ReadonlyMap<string, string>;
  readonly #isMixed: boolean;
  readonly #lines = new Map<ModelFile, LineIndex>();

  /** Creates a model without files, which `add` reads. */
  constructor({ root, globals, isMixed, queries }: Omit<ModelSnapshot, 'files'>) {
    this.root = root;
    this.queries = queries ?? new Map();
    this.#isMixed = isMixed;
    this.index = new ModelIndex(root);
    this.index.templateGlobals = {
      names: globals === undefined ? [] : templateGlobals(globals).map(({ name }) => name),
      // In a folder that is not known to be a model, the file may be elsewhere.
      isPython: globals !== undefined || isMixed,
    };
  }

  /** Reads a file; never throws: errors are among the problems of the file. */
  add(path: string, text: string): void {
    if (isModelPath(path) && (!this.#isMixed || looksLikeModel(path, text))) this.index.set(parseFile(path, text));
  }

  /** Returns the texts of its files by path. */
  get texts(): ReadonlyMap<string, string> {
    return new Map([...this.index.files()].map(({ path, text }) => [path, text]));
  }

  /** Returns the location of a range of a file; offsets are the file's, in UTF-16 code units. */
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

  /** Returns the location of a range of a chunk; `undefined` if the chunk belongs to another model. */
  locationOf(chunk: Chunk, start: number, end: number): Location | undefined {
    const placed = this.index.placement(chunk);
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
