import type { Problem } from '../codes.ts';
import type { Chunk } from '../file.ts';
import { scalarType, type TreeNode, type ValueKind } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';
import type { Entity } from '../syntax/entity.ts';
import { constantIn, kindOfComputed } from './script-values.ts';
import { wrongType } from './wrong-type.ts';

/**
 * Values of a script that the engine makes a function of, and whose result it turns into names: what a view or cube extends, and
 * the members of a default filter (`script-groups.ts` has those of groups). An arrow function is called; any other function is
 * itself the result, and its code is then taken for a name.
 */

/** What the result of such a value must be. */
interface Expected {
  readonly words: string;
  /** Whether a single name may stand in place of a list. */
  readonly mayBeOne: boolean;
}

/** Returns the problem of a value that certainly yields no name; undefined if it may. */
export function checkEvaluatedNames(site: Site, entity: Entity, chunk: Chunk): Problem | undefined {
  const { node, pair } = site;
  const expected = pair && pair.written === undefined ? expectedOf(site) : undefined;
  if (!expected || !isInside(node, entity)) return undefined;
  if (isOtherFunction(node, chunk)) return notCalled(node);
  const isNone = isMissing(node) || isNoParent(site) || (isResult(node) && isNoName(node, site));
  if (isNone || (!expected.mayBeOne && isOne(node, chunk))) return wrongType(node, expected.words);
  return undefined;
}

/** Returns the problem of a function that the engine does not call. */
export function notCalled(node: TreeNode): Problem {
  return { ...wrongType(node, ''), message: 'The engine calls only arrow functions here: write `() => …`.' };
}

/** Checks for a value that is written in the call that defines the entity: what comes from elsewhere stays as it is. */
export function isInside({ start, end }: TreeNode, { isElsewhere, written }: Entity): boolean {
  return isElsewhere !== true && (!written || (written.start <= start && end <= written.end));
}

function expectedOf({ key, parent }: Site): Expected | undefined {
  if (parent?.shape === 'defaultFilter') {
    if (key === 'unless') return { words: 'a list', mayBeOne: false };
    return key === 'member' ? { words: 'a member of the view', mayBeOne: true } : undefined;
  }
  return key === 'extends' ? { words: 'a reference', mayBeOne: true } : undefined;
}

/** Checks for a function that is not written as an arrow. */
export function isOtherFunction(node: TreeNode, { text }: Chunk): boolean {
  if (node.kind !== 'opaque' || kindOfComputed(node) !== 'function') return false;
  return /^(?:async\s+)?(?:function|class)\b/.test(text.slice(node.start, node.end));
}

/** Checks for `undefined` and `null`, which have no text. */
function isMissing(value: TreeNode): boolean {
  const node = constantIn(value) ?? value;
  if (node.kind !== 'scalar') return false;
  return node.style === 'code' ? node.value === 'undefined' : node.style === 'plain' && scalarType(node) === 'null';
}

/** Checks for something to extend that certainly is neither a cube or view nor its name. */
function isNoParent({ key, node }: Site): boolean {
  if (key !== 'extends') return false;
  if (node.kind === 'seq') return isResult(node);
  return NO_PARENTS.has(kindOfComputed(node) ?? 'text');
}

const NO_PARENTS: ReadonlySet<ValueKind> = new Set([
  'number',
  'boolean',
  'bigint',
  'instance',
  'list',
  'map',
  'regexp',
]);

function isResult(node: TreeNode): boolean {
  return node.kind !== 'opaque' && node.isResult === true;
}

/** Checks for the result of a function that is an object, a number or, where there must be a name, an empty text. */
function isNoName(node: TreeNode, { key }: Site): boolean {
  if (node.kind !== 'scalar') return node.kind === 'map' && !node.open;
  if (node.style === 'plain') return scalarType(node) !== 'string';
  return node.style !== 'code' && node.value === '' && key !== 'unless';
}

/** A path that begins with the view itself, which no variable can be. */
const OWN_PATH = /^(?:CUBE|TABLE)(?:\s*\??\.\s*[\w$]+|(?:\?\.)?\[\s*(["'`])[\w$]+\1\s*\])*$/;

/** Checks for one name, which the engine takes apart into characters. */
function isOne(node: TreeNode, { text, locals }: Chunk): boolean {
  if (node.kind === 'opaque') return OWN_PATH.test(text.slice(node.start, node.end));
  if (node.kind !== 'scalar') return false;
  if (node.style !== 'code') return isResult(node) && node.value !== '';
  const [head = ''] = node.value.split('.');
  return node.yields === undefined && !locals.has(head);
}
