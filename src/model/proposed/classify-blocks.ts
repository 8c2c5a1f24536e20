import { append } from '#base/long-lists.ts';
import { applyUnifiedDiff, isUnifiedDiff } from '#base/unified-diff.ts';
import { type ModelFile, parseFile } from '../file.ts';
import { withoutElisions } from './elisions.ts';
import { covers, inventoryOf, missingIn } from './inventory.ts';
import { mergeScript } from './merge-script.ts';
import { mergeYaml } from './merge-yaml.ts';
import { scriptPiece } from './script-piece.ts';
import { requireDefinitions } from './definitions.ts';
import { dedented } from './text-edits.ts';
import { Unsure } from './unsure.ts';
import { yamlPiece } from './yaml-piece.ts';

/** A block of code in an answer for a file. Line breaks are `\n` throughout. */
export interface AnswerBlock {
  /** The language named in the answer; empty if it names none. */
  readonly language: string;
  readonly text: string;
  /** The sentence above the block: it may name the cube. */
  readonly above: string;
}

/** The role of a block, classified by the contents of the file. */
export type Classification =
  /** The whole file after the change. `removed`: ids of what the block explicitly removes. */
  | { readonly kind: 'change'; readonly text: string; readonly removed: readonly string[] }
  /** It does not change the file: a quotation, an error message, a query. */
  | { readonly kind: 'quote' }
  /** It may be intended for the file, but its position is uncertain. `reason` is a sentence. */
  | { readonly kind: 'draft'; readonly reason: string };

/**
 * Returns the result of all blocks of an answer for one file, each classified against the file as the preceding ones left it. If one
 * of them cannot be placed, the file stays as it is: half an answer may not fit together.
 */
export function classifyBlocks(path: string, base: string | undefined, blocks: readonly AnswerBlock[]): Classification {
  let text = base;
  let isChanged = false;
  const removed: string[] = [];
  for (const block of blocks) {
    const classified = classifyBlock(path, text, block);
    if (classified.kind === 'draft') return classified;
    if (classified.kind === 'quote') continue;
    text = classified.text;
    isChanged = true;
    append(removed, classified.removed);
  }
  return isChanged && text !== undefined && text !== base ? { kind: 'change', text, removed } : { kind: 'quote' };
}

/**
 * Determines the role of a block from the file alone: it is the whole file only if it contains everything in the file; a piece is
 * merged into the cube or view that it belongs to. No change drops a cube, view or member that a patch does not remove by name.
 */
function classifyBlock(path: string, base: string | undefined, block: AnswerBlock): Classification {
  if (!isModelLanguage(block.language)) return { kind: 'quote' };
  try {
    const classified =
      base === undefined || base.trim() === '' ? classifyNew(path, block) : classifyChange(path, base, block);
    if (classified.kind === 'draft' && !mayBeMeant(block)) return { kind: 'quote' };
    return classified;
  } catch (error) {
    if (!(error instanceof Unsure)) throw error;
    return mayBeMeant(block) ? { kind: 'draft', reason: error.message } : { kind: 'quote' };
  }
}

/** Explains in a sentence why a text must not replace another one; returns `undefined` if it may. */
export function problemOf(
  path: string,
  before: string | undefined,
  after: string,
  removed: readonly string[],
): string | undefined {
  const result = parseFile(path, after);
  const known = before === undefined ? undefined : parseFile(path, before);
  if (countProblems(result) > (known ? countProblems(known) : 0)) return 'The result cannot be read as a model.';
  const [had, has] = [known && inventoryOf(known), inventoryOf(result)];
  const [twice] = [...has.doubled].filter((id) => had?.doubled.has(id) !== true);
  if (twice !== undefined) return `It would define the ${has.definitions.get(twice)?.label ?? ''} twice.`;
  const lost = had ? missingIn(had, has).filter(({ id }) => !removed.includes(id)) : [];
  const [first] = lost;
  if (!first) return undefined;
  const more = lost.length === 1 ? '' : ` and ${lost.length - 1} more`;
  return `It would remove the ${first.label}${more}.`;
}

function classifyNew(path: string, block: AnswerBlock): Classification {
  const text = isPatch(block) ? addedLines(block.text) : block.text;
  if (withoutElisions(text, undefined).isElided)
    throw new Unsure('The file is new or empty, and the text leaves parts out.');
  const whole = `${text.trimEnd()}\n`;
  const file = parseFile(path, whole);
  if (countProblems(file) > 0) throw new Unsure('The file is new or empty, and the text cannot be read as a model.');
  const entities = file.chunks.flatMap(({ chunk }) => chunk.entities);
  requireDefinitions(entities);
  if (!entities.some(({ nameNode }) => nameNode !== undefined) && !file.templated)
    throw new Unsure('The file is new or empty, and the text defines no cube or view.');
  return { kind: 'change', text: whole, removed: [] };
}

function classifyChange(path: string, base: string, block: AnswerBlock): Classification {
  if (isPatch(block)) return classifyPatch(path, base, block.text);
  const { pieces, text, isElided } = withoutElisions(block.text, base);
  if (pieces.every((piece) => isExcerpt(piece, base))) return { kind: 'quote' };
  if (!isElided && isWhole(path, base, text)) {
    const whole = `${text.trimEnd()}\n`;
    return isSameText(whole, base) ? { kind: 'quote' } : { kind: 'change', text: whole, removed: [] };
  }
  const file = parseFile(path, base);
  if (countProblems(file) > 0) throw new Unsure('The file has errors, so the code cannot be inserted safely.');
  const merged = mergePiece(file, text, block.above, isElided);
  if (isSameText(merged, base)) return isElided ? { kind: 'quote' } : withoutChange(file, text);
  const problem = problemOf(path, base, merged, []);
  return problem === undefined ? { kind: 'change', text: merged, removed: [] } : { kind: 'draft', reason: problem };
}

function isPatch({ text, language }: AnswerBlock): boolean {
  return isUnifiedDiff(text) || /^(?:diff|patch)$/i.test(language);
}

/** Returns the file that a patch creates from nothing. */
function addedLines(diff: string): string {
  const added = applyUnifiedDiff('', diff);
  if (!added) throw new Unsure('The patch is for a file that is not there.');
  return added.text;
}

/** Classifies a text that adds nothing: it may quote the file, or be the whole file except for what it means to remove. */
function withoutChange(file: ModelFile, text: string): Classification {
  const [before, after] = [inventoryOf(file), inventoryOf(parseFile(file.path, text))];
  const [first, ...more] = missingIn(before, after);
  if (!first || after.definitions.size <= before.definitions.size / 2) return { kind: 'quote' };
  const rest = more.length === 0 ? '' : ` and ${more.length} more`;
  throw new Unsure(`It leaves out the ${first.label}${rest}. Only a patch removes something.`);
}

function mergePiece(file: ModelFile, text: string, above: string, isElided: boolean): string {
  const words = wordsOf(above, file.path);
  const isScript = file.language === 'script';
  const piece = parseFile(file.path, isScript ? scriptPiece(text, file, words) : yamlPiece(text, file, words));
  if (countProblems(piece) > 0) throw new Unsure('It cannot be read as a part of a model.');
  const merged = (isScript ? mergeScript : mergeYaml)(file, piece, isElided);
  const lost = missingIn(inventoryOf(piece), inventoryOf(parseFile(file.path, merged)));
  if (lost.length > 0) throw new Unsure('It could not be put into the file as a whole.');
  return merged;
}

function classifyPatch(path: string, base: string, diff: string): Classification {
  const applied = applyUnifiedDiff(base, diff);
  if (!applied) throw new Unsure('The patch does not fit the file.');
  const removedText = applied.removed.join('\n');
  const lost = missingIn(inventoryOf(parseFile(path, base)), inventoryOf(parseFile(path, applied.text)));
  const named = lost.filter(({ name }) => new Set(removedText.match(/[\w.]+/g)).has(name));
  const removed = named.map(({ id }) => id);
  const problem = problemOf(path, base, applied.text, removed);
  return problem === undefined ? { kind: 'change', text: applied.text, removed } : { kind: 'draft', reason: problem };
}

/**
 * Checks whether a text is a whole file: it can be parsed, and contains every name and every key of a cube or view in the file.
 */
function isWhole(path: string, base: string, text: string): boolean {
  const [before, after] = [parseFile(path, base), parseFile(path, text)];
  if (countProblems(after) > 0 || (before.templated && !after.templated)) return false;
  const had = inventoryOf(before);
  // If the file has no names, it is unknown what the text would have to repeat.
  if (had.definitions.size === 0 && !before.templated) return false;
  if (!covers(inventoryOf(after), had)) return false;
  if (before.language === 'script') return undefinedNames(after).every((name) => undefinedNames(before).includes(name));
  return statementsOf(before).every((statement) => statementsOf(after).includes(statement));
}

/** Returns the statements of a template, all of which must be repeated: what they determine is unknown. */
function statementsOf({ text }: ModelFile): readonly string[] {
  return (text.match(/\{%[\s\S]*?%\}/g) ?? []).map((statement) => statement.replaceAll(/\s+/g, ' '));
}

function undefinedNames(file: ModelFile): readonly string[] {
  return file.chunks.flatMap(({ chunk }) => chunk.undefinedNames.map(({ name }) => name));
}

function countProblems({ problems, chunks }: ModelFile): number {
  return problems.length + chunks.reduce((sum, { chunk }) => sum + chunk.problems.length, 0);
}

/** Checks whether all lines occur in the file one after another. */
function isExcerpt(text: string, base: string): boolean {
  const [wanted, lines] = [linesOf(text), linesOf(base)];
  return lines.some((_, at) => wanted.every((line, index) => lines[at + index] === line));
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}

function isSameText(a: string, b: string): boolean {
  return dedented(a).trim() === dedented(b).trim();
}

/** Checks for a language of models: other blocks of an answer are queries, commands or output. */
function isModelLanguage(language: string): boolean {
  return /^(?:|(?:ya?ml|jinja2?|j2|js|javascript|jsx|mjs|ts|typescript|diff|patch|text|txt|plaintext)(?:[+-].*)?)$/i.test(
    language,
  );
}

/** Checks whether a block that cannot be placed is at least a patch, or has the keys or calls of a model. */
function mayBeMeant(block: AnswerBlock): boolean {
  const { text } = block;
  const key =
    /^[+\s-]*["'`]?(?:cubes|views|name|sql|sql_?table|type|measures|dimensions|segments|joins|pre_?aggregations|hierarchies|includes|folders|access_?policy|join_?path)["'`]?\s*:/im;
  return isPatch(block) || key.test(text) || /\b(?:cube|view)\s*\(/.test(text);
}

/** Returns the words of a sentence, without those of the path in it. */
function wordsOf(sentence: string, path: string): ReadonlySet<string> {
  return new Set(sentence.replaceAll(path, ' ').match(/[\w-]+/g));
}
