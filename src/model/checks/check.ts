import { append, smallest } from '#base/long-lists.ts';
import { codes, type Problem, type Severity } from '../codes.ts';
import { isError } from '#model/engine/is-error.ts';
import type { ModelFile, PlacedChunk } from '../file.ts';
import { importedFile } from '../imported.ts';
import type { ModelIndex } from '../index.ts';
import { type Chunk, ChunkNotes } from '../chunk.ts';
import { type EntitySymbol, symbolsOf } from '../symbols.ts';
import { SELF } from '../syntax/known-names.ts';
import { checkAggregation } from './aggregation.ts';
import { checkCaseValues } from './case-values.ts';
import { codeNameProblems } from './code-names.ts';
import { checkCube } from './cube.ts';
import { checkEntity, checkWrittenKeys } from './entity.ts';
import { checkFile } from './file.ts';
import { checkForeignRows } from './foreign-rows.ts';
import { atHome } from './imported-code.ts';
import { checkIncompleteSql } from './incomplete-sql.ts';
import { checkMemberKinds } from './member-kinds.ts';
import { checkReferences, REMOVED_CONTEXT, removedContext } from './references.ts';
import { checkRollups } from './rollups.ts';
import { checkGroupNames } from './script-groups.ts';
import { checkSqlVariables } from './sql-variables.ts';
import { checkTemplateNames } from './template-names.ts';
import { checkThrownErrors } from './thrown-errors.ts';
import { checkTrailingCommas } from './trailing-commas.ts';
import { checkView } from './view.ts';

const shapes = new ChunkNotes<readonly Problem[]>();

/** Returns the problems of one chunk that depend on nothing else; computed once per chunk. Offsets are the chunk's. */
function chunkProblems(chunk: Chunk): readonly Problem[] {
  let problems = shapes.get(chunk);
  if (!problems) {
    problems = [
      ...unprintable(chunk),
      ...undeclared(chunk),
      ...mistakenCalls(chunk),
      ...unwrapped(chunk),
      ...chunk.entities.flatMap((entity) => (entity.expansions ? [] : checkEntity(entity, chunk))),
      ...expandedShapes(chunk),
      ...checkIncompleteSql(chunk),
    ];
    problems = atHome(problems, chunk);
    shapes.set(chunk, problems);
  }
  return problems;
}

/** Returns the problems of definitions that are not written out. */
function expandedShapes(chunk: Chunk): readonly Problem[] {
  const problems = chunk.entities.flatMap((entity): readonly Problem[] => {
    if (!entity.expansions) return [];
    const written = checkWrittenKeys(entity, chunk);
    const run = entity.expansions.flatMap((each) => checkEntity(each, chunk));
    return [...written, ...run.filter(({ code }) => code !== 'duplicate-key').map((each) => fixedInPlace(each, chunk))];
  });
  return onceEach(problems);
}

/** Removes the fix of a value that is not written at its place, but comes from a constant or an argument. */
function fixedInPlace(problem: Problem, { text }: Chunk): Problem {
  const isWritten = /^(?:["']|`[^$]*$)/.test(text.slice(problem.start, problem.end));
  return problem.code === 'bad-value' && !isWritten ? { ...problem, fix: undefined } : problem;
}

/** Keeps the first of the problems at one place: a script may run its code several times, and two rules may find the same. */
function onceEach(problems: readonly Problem[]): readonly Problem[] {
  const places = new Set<string>();
  return problems.filter(({ code, start, end }) => {
    const place = `${code} ${start} ${end}`;
    const isNew = !places.has(place);
    places.add(place);
    return isNew;
  });
}

function undeclared({ undefinedNames }: Chunk): Problem[] {
  return undefinedNames.map(({ name, start, end }): Problem => {
    if (name === REMOVED_CONTEXT) return removedContext(start, end);
    const message = SELF.has(name)
      ? `\`${name}\` is known only in the definition of a cube: move this there, or make it a parameter, \`(${name}) => …\`.`
      : `\`${name}\` is not defined: nothing in this file declares it, and cubes are known only in SQL and in lists of members.`;
    return { code: 'unknown-reference', start, end, message };
  });
}
/** Maximum length of code that a message repeats. */
const LONGEST_CODE = 40;

function mistakenCalls({ mistakenCalls, text, script }: Chunk): Problem[] {
  return mistakenCalls.map(({ start, end, isThrow }): Problem => {
    // The code of another file is not in the text.
    const isOwn = script !== undefined && start < script.length;
    if (isThrow) {
      const message = isOwn
        ? 'The script always ends with this error.'
        : 'The script always ends with an error that a file throws which it imports.';
      return { code: 'bad-expression', start, end, message };
    }
    const code = isOwn && end - start <= LONGEST_CODE ? text.slice(start, end) : '';
    const message =
      code === '' || /[`\n]/.test(code) ? 'What is called here is not a function' : `\`${code}\` is not a function`;
    return { code: 'bad-expression', start, end, message: `${message}: the engine stops at this call.` };
  });
}

function unwrapped({ unwrappedSql, text }: Chunk): Problem[] {
  return unwrappedSql.map(({ start, end, isReference }): Problem => {
    if (isReference) return { code: 'wrong-type', start, end, message: UNWRAPPED_REFERENCE };
    const isOwn = /\$\{CUBE\b/.test(text.slice(start, end));
    const fix = { title: 'Make it a function', start, end: start, text: isOwn ? '(CUBE) => ' : '() => ' };
    const message =
      'The engine takes SQL as text only inside the brackets of `cube(…)`; an object that comes from elsewhere must bring a function: `() => …`.';
    return { code: 'wrong-type', start, end, message, fix };
  });
}

const UNWRAPPED_REFERENCE =
  'The engine takes references as they are only inside the brackets of `cube(…)` or `view(…)`; an object that comes from elsewhere must bring a function: `(CUBE) => …`.';

/** Control characters, at which the engine's loader fails. */
const UNPRINTABLE = /[\p{Cc}--[\0\t\n\r\u0085]]/v;

function unprintable({ kind, text }: Chunk): Problem[] {
  const start = kind === 'script' ? -1 : text.search(UNPRINTABLE);
  const message = 'This is a control character, which YAML does not allow: remove it.';
  return start === -1 ? [] : [{ code: 'yaml-syntax', start, end: start + 1, message }];
}

interface Checked {
  /** The structure counter of the model that the problems were found with. */
  readonly structure: number;
  readonly problems: readonly Problem[];
}
const related = new ChunkNotes<Checked>();

/**
 * Returns the problems of one chunk that depend on the rest of the model; computed again only after a change of the chunk's text
 * or of what other files expose. With `stale`, problems of an older structure are good enough. Offsets are the chunk's.
 */
function modelProblems(chunk: Chunk, index: ModelIndex, stale = false): readonly Problem[] {
  const known = related.get(chunk);
  if (known && (stale || (known.structure === index.structure && areInModel(known.problems, chunk, index))))
    return known.problems;
  const problems = symbolsOf(chunk).flatMap((entity) =>
    entity.expansions.length > 0 ? expandedProblems(entity, index) : entityProblems(entity, index),
  );
  append(problems, [
    ...missingFiles(chunk, index),
    ...codeNameProblems(chunk, index, () => [...chunkProblems(chunk), ...problems]),
  ]);
  const placed = atHome(problems, chunk);
  related.set(chunk, { structure: index.structure, problems: placed });
  return placed;
}

/** Whether what problems name elsewhere still has its place: a template that is rendered again has the same names in other chunks. */
function areInModel(problems: readonly Problem[], own: Chunk, index: ModelIndex): boolean {
  return problems.every(({ related: named = [] }) =>
    named.every(({ chunk }) => chunk === own || index.placement(chunk) !== undefined),
  );
}

function entityProblems(entity: EntitySymbol, index: ModelIndex): readonly Problem[] {
  return onceEach([
    ...checkReferences(entity, index),
    ...checkGroupNames(entity, index),
    ...checkSqlVariables(entity, index),
    ...checkThrownErrors(entity),
    ...checkCube(entity, index),
    ...checkAggregation(entity, index),
    ...checkForeignRows(entity, index),
    ...checkMemberKinds(entity, index),
    ...checkRollups(entity, index),
    ...checkCaseValues(entity, index),
    ...checkTrailingCommas(entity, index),
    ...(entity.kind === 'view' ? checkView(entity, index) : []),
  ]);
}

/** Returns the problems of what a script makes of a definition, each time that it runs. */
function expandedProblems({ chunk, expansions }: EntitySymbol, index: ModelIndex): readonly Problem[] {
  const problems = expansions.flatMap((each) => {
    const unresolved = unresolvedParameters(each);
    return entityProblems(each, index).filter(({ start }) => !unresolved.has(start));
  });
  const isDeclared = ({ start }: Problem): boolean => !chunk.undefinedNames.some((name) => name.start === start);
  return onceEach(problems.filter(isDeclared));
}

/**
 * Returns the offsets of references that are a parameter of a function on its own, `(status) => [status]`: the engine passes
 * `undefined` for a name that it does not know.
 */
function unresolvedParameters({ references, written }: EntitySymbol): ReadonlySet<number> {
  const outside = references.filter(
    ({ form, segments, start }) =>
      form === 'path' && segments.length === 1 && !(written.start <= start && start < written.end),
  );
  return new Set(outside.map(({ start }) => start));
}

/** Returns the problems of a file's templates that depend on the rest of the model, which is unknown for a file on its own. */
export function templateProblems(file: ModelFile, index: ModelIndex, isStandalone = false): Found[] {
  return isStandalone || file.conflicted ? [] : checkTemplateNames(file, index).map((problem) => foundAt(problem, 0));
}

function missingFiles({ imports }: Chunk, index: ModelIndex): Problem[] {
  return imports.flatMap(({ path, start, end }): Problem[] => {
    if (importedFile(path, index)) return [];
    const message = `The model has no file \`${path}\`: paths of imports begin at the model's folder, \`./\`.`;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const [other, ...more] = [...index.files()].filter((file) => `/${file.path}`.endsWith(`/${name}`));
    const known =
      other && more.length === 0 && index.root !== undefined ? other.path.slice(index.root.length) : undefined;
    const fix =
      known === undefined
        ? undefined
        : { title: `Change to \`./${known}\``, start: start + 1, end: end - 1, text: `./${known}` };
    return [{ code: 'unknown-reference', start, end, message, fix }];
  });
}

/** A problem with file offsets and its final severity. */
export interface Found {
  readonly problem: Problem;
  readonly severity: Severity;
  readonly start: number;
  readonly end: number;
}

/** Returns the size of the chunks of a file that were never checked, in characters: a measure of the time that it takes. */
export function uncheckedSize(file: ModelFile | undefined): number {
  return file?.chunks.reduce((sum, { chunk }) => (shapes.get(chunk) ? sum : sum + chunk.text.length), 0) ?? 0;
}

/** Checks one chunk and caches the result for the functions below. `isAlone`: the rest of the model is unknown. */
export function checkChunk(chunk: Chunk, index: ModelIndex, isAlone: boolean): void {
  if (chunk.problems.length === 0) chunkProblems(chunk);
  if (!isAlone) modelProblems(chunk, index);
}

/** Returns the problems of a file's own text: syntax, top level, shapes. */
export function textProblems(file: ModelFile): Found[] {
  const found = [...file.problems, ...checkFile(file)].map((problem) => foundAt(problem, 0));
  for (const { chunk, start } of file.chunks) {
    const syntax = hasBlocks(file) || chunk.templated ? [] : syntaxProblems(chunk);
    for (const problem of syntax) found.push(foundAt(problem, start, file.jinja.length > 0 ? 'warning' : undefined));
    const believed = syntax.length === 0 ? chunkProblems(chunk) : besides(chunk);
    for (const problem of believed) found.push(foundAt(problem, start, chunk.templated ? soften(problem) : undefined));
  }
  return found;
}

/** Returns the syntax problems of a chunk. For YAML only the first: a parser that lost its way also reports what follows. */
function syntaxProblems({ kind, problems }: Chunk): readonly Problem[] {
  if (kind === 'script') return problems;
  const first = smallest(problems.map(({ start }) => start));
  return problems.filter(({ start }) => start === first).slice(0, 1);
}

/**
 * Returns the problems of the intact definitions in a broken script: each was parsed on its own, whereas the tree of a broken one
 * says little about its text.
 */
function besides(chunk: Chunk): readonly Problem[] {
  if (chunk.kind !== 'script') return [];
  const holds = ({ node }: Chunk['entities'][number], at: number): boolean => node.start <= at && at <= node.end;
  const whole = chunk.entities.filter((entity) => !chunk.problems.some(({ start }) => holds(entity, start)));
  return chunkProblems(chunk).filter(({ start }) => whole.some((entity) => holds(entity, start)));
}

/**
 * Returns the problems of one chunk that depend on the rest of the model. `isStandalone`: the rest is unknown; `stale`: see
 * `modelProblems`.
 */
export function relatedProblems(
  { chunk, start }: PlacedChunk,
  index: ModelIndex,
  file: ModelFile,
  { isStandalone = false, stale = false }: { readonly isStandalone?: boolean; readonly stale?: boolean } = {},
): Found[] {
  if (isStandalone || file.conflicted) return [];
  return modelProblems(chunk, index, stale).map((problem) =>
    foundAt(problem, start, chunk.templated ? soften(problem) : undefined),
  );
}

/** Checks whether statements decide what the text is; a syntax problem may then be a false alarm. */
function hasBlocks(file: ModelFile): boolean {
  return file.jinja.some(
    ({ kind, word }) => kind === 'statement' && word !== 'set' && word !== 'import' && word !== 'from',
  );
}

/** Lowers the severity of a problem, because nothing is certain inside template blocks. */
function soften(problem: Problem): Severity | undefined {
  return isError(problem) ? 'warning' : undefined;
}

function foundAt(problem: Problem, start: number, severity?: Severity): Found {
  return {
    problem,
    severity: severity ?? problem.severity ?? codes[problem.code].severity,
    start: start + problem.start,
    end: start + problem.end,
  };
}
