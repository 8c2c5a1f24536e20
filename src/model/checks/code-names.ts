import type { Problem } from '../codes.ts';
import { isError } from '#model/engine/is-error.ts';
import type { ModelIndex } from '../index.ts';
import type { Chunk } from '../chunk.ts';
import type { Reference } from '../references.ts';
import { resolve } from '../resolve.ts';
import type { Segment } from '#model/expressions/strings.ts';
import { type EntitySymbol, symbolsOf } from '../symbols.ts';
import { INHERITED, JAVASCRIPT, SANDBOX } from '../syntax/known-names.ts';

/**
 * Reports names in YAML expressions that belong to JavaScript rather than to the data model. The engine turns expressions into
 * JavaScript, so it would evaluate them; a model with such a name is not compiled here.
 */
export function checkCodeNames(chunk: Chunk, index: ModelIndex): Problem[] {
  if (chunk.kind === 'script') return [];
  const found = new Map<number, Segment>();
  for (const segment of properties(chunk.text)) found.set(segment.start, segment);
  for (const entity of symbolsOf(chunk))
    for (const reference of entity.references)
      for (const segment of outside(reference, entity, index)) found.set(segment.start, segment);
  return [...found.values()].map(problem);
}

/**
 * Returns {@link checkCodeNames} once for each mistake: the first name of a path, and none in a value that has an error (`others`:
 * the problems of the chunk).
 */
export function codeNameProblems(chunk: Chunk, index: ModelIndex, others: () => readonly Problem[]): Problem[] {
  const found = checkCodeNames(chunk, index);
  if (found.length === 0) return found;
  const references = symbolsOf(chunk).flatMap((entity) => entity.references);
  const errors = others().filter(isError);
  return found.filter((each, at) => {
    const isChained = found.slice(0, at).some(({ end }) => /^\s*\.\s*$/.test(chunk.text.slice(end, each.start)));
    const around = references.find(({ node }) => isIn(each, node));
    // SQL holds several expressions, each with its own mistakes.
    const value = around?.form === 'path' ? around.node : undefined;
    const isKnown = errors.some((error) => (value ? isIn(error, value) : !around && isIn(each, error)));
    return !isChained && !isKnown;
  });
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function isIn(inner: Range, outer: Range): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function problem({ text, start, end }: Segment): Problem {
  const message = `\`${text}\` is not part of the data-model language: an expression names cubes, members, and what the engine offers, such as \`CUBE\` or \`FILTER_PARAMS\`. Modelbench does not compile a model with it.`;
  return { code: 'code-in-expression', start, end, message };
}

/** Properties of every JavaScript object that lead to its code. */
const LEADING = [...INHERITED, 'prototype', 'caller', 'callee'].filter(
  (name) => !['toString', 'valueOf', 'toLocaleString', 'hasOwnProperty', 'isPrototypeOf'].includes(name),
);
const PROPERTY = new RegExp(String.raw`\.\s*(${LEADING.join('|')})\b(?=(\s*[.(])?)`, 'g');

/** Yields uses of such properties: between braces, or followed by an access or a call. A column may have such a name. */
function* properties(text: string): Generator<Segment> {
  for (const match of text.matchAll(PROPERTY)) {
    const [whole, name = '', use = ''] = match;
    const end = match.index + whole.length;
    if (use !== '' || isInBraces(text, match.index)) yield { text: name, start: end - name.length, end };
  }
}

/** Search limit in characters: a value is rarely longer, and searching further costs too much. */
const FAR = 2000;

function isInBraces(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - FAR), at);
  return before.lastIndexOf('{') > before.lastIndexOf('}');
}

/** Names of JavaScript itself and of the engine's loader, which cubes and members may also have. */
const HEADS = new Set([...JAVASCRIPT, ...SANDBOX, 'process', 'module', 'global', 'exports', 'Buffer']);
for (const name of ['COMPILE_CONTEXT', 'undefined', 'NaN', 'Infinity']) HEADS.delete(name);

/** The members of the engine's own objects. Objects that are not listed contain whatever a company adds to them. */
const METHODS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['SQL_UTILS', new Set(['convertTz', 'urlEncode'])],
  ['FILTER_GROUP', new Set<string>()],
]);

function outside(reference: Reference, owner: EntitySymbol, index: ModelIndex): readonly Segment[] {
  const [head, next] = reference.segments;
  if (!head || reference.form === 'name') return [];
  if (HEADS.has(head.text)) return isOfModel(reference, owner, index) ? [] : [head];
  const methods = METHODS.get(head.text);
  return methods && next && next.text !== '' && !methods.has(next.text) ? [next] : [];
}

function isOfModel(reference: Reference, owner: EntitySymbol, index: ModelIndex): boolean {
  const [first] = resolve(reference, owner, index).referents;
  return first !== undefined && first.is !== 'context';
}
