import { plainMessageText } from '#base/plain-message.ts';
import { checkCodeNames } from '#model/checks/code-names.ts';
import type { Found } from '#model/checks/check.ts';
import { type ErrorInChunk, positionOfEngineError } from './engine-errors.ts';
import type { ModelFile, Chunk } from '#model/file.ts';
import type { ModelIndex } from '#model/index.ts';
import { chunkAt } from '#model/locate.ts';
import { symbolsOf } from '#model/symbols.ts';
import { isUnreadableCode } from '#model/unreadable.ts';
import { platformTemplates } from '#model/templates/platform-templates.ts';

/** One error of the engine, as precisely located as the engine reports it. `fileName` is relative to the folder of the model. */
export interface EngineRefusal {
  readonly message: string;
  readonly fileName?: string | undefined;
  /** The line in that file, from 1, where the compiler says it. */
  readonly line?: number | undefined;
  /** The cube or view that the engine was reading. */
  readonly entity?: string | undefined;
  /** Whether the file itself could not be read or run: a script may throw any text, which may name any cube. */
  readonly isThrown?: boolean | undefined;
}

/** An error of the engine at an item or a line of the model; offsets are those of its chunk of the file. */
export interface EngineProblem extends ErrorInChunk {
  readonly message: string;
  /** The engine could not read the file; the position is where it stopped. */
  readonly ofFile?: boolean | undefined;
  /** The version of a file that has no chunk, such as one of macros only: the offsets are its own. */
  readonly file?: ModelFile | undefined;
}

/** Texts and names of a model to be compiled by the engine. */
export interface CompiledModel {
  readonly index: ModelIndex;
  /** Returns the file that the engine knows by this name. */
  readonly fileNamed: (name: string) => ModelFile | undefined;
}

/**
 * Explains in a sentence why the engine cannot compile these files on this machine; returns `undefined` if it can. Comments and
 * settings that switch diagnostics off do not matter here.
 */
export function notCompiledHere(index: ModelIndex, files: readonly ModelFile[]): string | undefined {
  if (platformTemplates(files, hasPython(index)).size > 0) return PLATFORM_ONLY;
  const forbidden = codeName(index, files);
  return forbidden === undefined
    ? undefined
    : `An expression names \`${forbidden}\`, which is not part of the data-model language.`;
}

const PLATFORM_ONLY = 'Templates that use Python or the environment are compiled by the platform only.';

/** Checks whether `globals.py` is known to give names to templates; returns false also if the file is out of reach. */
function hasPython({ templateGlobals }: ModelIndex): boolean {
  return (templateGlobals?.names.length ?? 0) > 0;
}

/** The files of a model that the engine can compile on this machine, and the number that it cannot. */
export interface CompiledFiles {
  readonly files: readonly ModelFile[];
  /** Templates that use Python or the environment. */
  readonly omitted: number;
}

/**
 * Returns the model without files that only the platform can render; all of them if nothing else is left, so that the reason is
 * shown.
 */
export function compiledHere(index: ModelIndex): CompiledFiles {
  const all = [...index.files()];
  const omitted = platformTemplates(all, hasPython(index));
  const files = all.filter((file) => !omitted.has(file));
  return files.length === 0 ? { files: all, omitted: 0 } : { files, omitted: omitted.size };
}

/**
 * Returns the errors that hold whatever the omitted files define: an unreadable file, and a key of a cube that is complete in
 * itself.
 */
export function withoutOmitted(
  refusals: readonly EngineRefusal[],
  index: ModelIndex,
  { omitted }: CompiledFiles,
): readonly EngineRefusal[] {
  if (omitted === 0) return refusals;
  return refusals.filter(({ message }) => {
    const [, name = '', rest] = /^(\w+) cube: ([\s\S]*)$/.exec(message) ?? [];
    if (rest === undefined) return /\(\d+:\d+\)/.test(message);
    const entity = index.entity(name);
    const isWhole = entity?.kind === 'cube' && entity.extends === undefined && !entity.extendsUnknown;
    return isWhole && /^["(][\w.[\]-]+/.test(rest);
  });
}

/**
 * Returns the package or outside file that a script needs and that does not exist on this machine, according to the engine's
 * errors.
 */
export function foreignName(refusals: readonly EngineRefusal[]): string | undefined {
  return refusals.flatMap(({ message }) => FOREIGN.exec(message)?.slice(1).find(Boolean) ?? [])[0];
}

const FOREIGN = /^(?:Package|Path) '([^']+)' not found|^'([^']+)' restricted/;

/**
 * Places errors at the items or lines that they name. An error that names nothing goes to the start of its file, or of the first
 * one with a word that it is about the model. If our own checks found an error anywhere (`hasErrors`), it is omitted: it is probably
 * the same one, and ours has a position. What ended the reading of a file is not: `uncoveredRefusals` judges it in that file.
 */
export function placedRefusals(
  refusals: readonly EngineRefusal[],
  model: CompiledModel,
  hasErrors: () => boolean,
): readonly EngineProblem[] {
  const hasOurs = once(hasErrors);
  return refusals.flatMap((given) => {
    const refusal = { ...given, message: plainMessageText(given.message) };
    const file = model.fileNamed(refusal.fileName ?? '');
    const found = positionIn(refusal, file, model, hasOurs);
    const isElsewhere = file === undefined || refusal.isThrown !== true;
    const position = found ?? (isElsewhere && hasOurs() ? undefined : startOf(file, model));
    if (!position) return [];
    // What a script throws has no heading.
    const message = refusal.isThrown === true ? withoutListing(refusal.message) : plainMessage(refusal.message);
    return { ...position, message: found || file ? message : `${message} (${whereabouts(refusal)})` };
  });
}

/** Returns the position of an error, by the most reliable of what the engine says of it. */
function positionIn(
  { message, fileName, line, entity, isThrown }: EngineRefusal,
  file: ModelFile | undefined,
  model: CompiledModel,
  hasOurs: () => boolean,
): Position | undefined {
  const quoted =
    quotedLine(message, model) ?? (isThrown === true && line !== undefined ? lineOf(file, line, model) : undefined);
  if (quoted || isThrown === true) return quoted;
  const named = positionOfEngineError(message, model.index);
  if (entity !== undefined) return inFile(named, file, model) ?? nameOfEntity(entity, model, hasOurs);
  return inItsFile(named, fileName, model) ?? (line === undefined ? undefined : lineOf(file, line, model));
}

/** Returns what is known of the position of an error that is in no file of the model here. */
function whereabouts({ fileName }: EngineRefusal): string {
  return fileName === undefined ? 'the engine does not say where in the model' : `in ${fileName}`;
}

/** Returns a function that asks at most once. */
function once(ask: () => boolean): () => boolean {
  let answer: boolean | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}

/** Leaves out a position in another file: a script may throw an error that names any cube. */
function inItsFile(
  position: ErrorInChunk | undefined,
  fileName: string | undefined,
  { index, fileNamed }: CompiledModel,
): ErrorInChunk | undefined {
  const file = fileName === undefined ? undefined : fileNamed(fileName);
  const isElsewhere = position && file && index.placement(position.chunk)?.file.path !== file.path;
  return isElsewhere && file.language === 'script' ? undefined : position;
}

/** Returns a position if it is in the file that the engine was reading. */
function inFile(
  position: ErrorInChunk | undefined,
  file: ModelFile | undefined,
  { index }: CompiledModel,
): ErrorInChunk | undefined {
  const isThere = position && (!file || index.placement(position.chunk)?.file.path === file.path);
  return isThere ? position : undefined;
}

/** Returns the name of what the engine was reading; not if that may only inherit what our own checks have found elsewhere. */
function nameOfEntity(name: string, { index }: CompiledModel, hasOurs: () => boolean): ErrorInChunk | undefined {
  const entity = index.entity(name);
  const isAlone = entity?.kind === 'cube' && entity.extends === undefined && !entity.extendsUnknown;
  if (!entity?.nameNode || (!isAlone && hasOurs())) return undefined;
  const { nameNode, chunk } = entity;
  return { chunk, start: nameNode.start, end: nameNode.end };
}

/**
 * Returns a message without the leading cube name, which its position shows, and without the listing that follows some messages.
 */
export function plainMessage(message: string): string {
  return withoutListing(message.replace(/^\w+ (?:cube|view group): /, ''));
}

function withoutListing(message: string): string {
  const [first = ''] = message.split(/\n(?:\n|-{5,}|>? *\d+ \|)/);
  return first.trim();
}

/**
 * Returns the engine's errors of a file that our own checks did not find. An error of ours in the same member (or, for an error
 * about no member, in the same cube) describes the same mistake more precisely. Offsets are the file's.
 */
export function uncoveredRefusals(
  problems: readonly EngineProblem[],
  file: ModelFile,
  index: ModelIndex,
  own: readonly Found[],
): readonly Found[] {
  // What the engine reports of a file that cannot be read is this problem, at the place where the engine noticed it.
  if (own.some(({ problem }) => isUnreadableCode(problem.code))) return [];
  return problems.flatMap(({ chunk, start, end, message, ofFile, file: ofVersion }): Found[] => {
    const placement = ofVersion ? { file: ofVersion, start: 0 } : index.placement(chunk);
    // The chunk was edited since, so the error may be resolved.
    if (placement?.file !== file) return [];
    const around = ofFile === true ? { start: -placement.start, end: file.text.length } : itemAround(chunk, start);
    const from = placement.start + around.start;
    const to = placement.start + around.end;
    if (own.some((found) => found.severity === 'error' && found.start <= to && from <= found.end)) return [];
    const problem = { code: 'engine', start, end, message } as const;
    return [{ problem, severity: 'error', start: placement.start + start, end: placement.start + end }];
  });
}

function codeName(index: ModelIndex, files: readonly ModelFile[]): string | undefined {
  for (const { chunks } of files)
    for (const { chunk } of chunks)
      for (const { start, end } of checkCodeNames(chunk, index)) return chunk.text.slice(start, end);
  return undefined;
}

type Position = Omit<EngineProblem, 'message'>;

/** Returns the position that an error of a template quotes: `… (in cubes/orders.yml.jinja:9)`. */
function quotedLine(message: string, model: CompiledModel): Position | undefined {
  const [, name, number] = /\(in ([^\n]+):(\d+)\)/.exec(message) ?? [];
  return lineOf(name === undefined ? undefined : model.fileNamed(name), Number(number), model);
}

/** Returns the position of a line of a file, from 1. */
function lineOf(file: ModelFile | undefined, wanted: number, model: CompiledModel): Position | undefined {
  if (!file) return undefined;
  let start = 0;
  for (let line = 1; line < wanted; line++) {
    const end = file.text.indexOf('\n', start);
    // An error of another text than this one can name a line that it does not have.
    if (end === -1) break;
    start = end + 1;
  }
  const found = chunkAt(file, start) ?? file.chunks.at(-1);
  const end = file.text.indexOf('\n', start);
  const lineEnd = end === -1 ? file.text.length : end;
  const from = found?.start ?? 0;
  return inText(file, found?.chunk, { start: start - from, end: lineEnd - from }, model);
}

/** Returns a position in a file that could not be read: in its chunk, or in the file itself if it has none. */
function inText(
  file: ModelFile,
  own: Chunk | undefined,
  range: { readonly start: number; readonly end: number },
  { index }: CompiledModel,
): Position | undefined {
  // A position has a chunk; that of a file without one is not used.
  const chunk = own ?? [...index.files()].find(({ chunks }) => chunks.length > 0)?.chunks[0]?.chunk;
  return chunk && { ...range, chunk, ofFile: true, ...(own ? {} : { file }) };
}

function startOf(file: ModelFile | undefined, model: CompiledModel): Position | undefined {
  const range = { start: 0, end: 0 };
  if (file) return inText(file, file.chunks[0]?.chunk, range, model);
  const chunk = [...model.index.files()].find(({ chunks }) => chunks.length > 0)?.chunks[0]?.chunk;
  return chunk && { chunk, ...range };
}

function itemAround(chunk: Chunk, offset: number): { readonly start: number; readonly end: number } {
  for (const entity of symbolsOf(chunk)) {
    const { node } = entity.entity;
    if (offset < node.start || offset > node.end) continue;
    const members = [...entity.members.values(), ...entity.duplicates];
    const member = members.find(({ start, end }) => start <= offset && offset <= end);
    return member ? { start: member.start, end: member.end } : node;
  }
  return { start: 0, end: chunk.script?.length ?? chunk.text.length };
}
