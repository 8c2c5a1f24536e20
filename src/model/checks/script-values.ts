import type { Problem } from '../codes.ts';
import { GROUP_SHAPES } from '../language/group-shapes.ts';
import { language } from '../language/language.ts';
import { nounOf, type ShapeName, type Type } from '../language/types.ts';
import type { ScalarNode, TreeNode, ValueKind, Yielded } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';
import { isNamesOfGroups } from './texts.ts';
import { PASSED_OVER, wrongType } from './wrong-type.ts';

/** Returns what a value of a script that is not simply written there certainly is: the result of `() => …`, `/x/`, `NaN`. */
export function kindOfComputed(node: TreeNode): ValueKind | undefined {
  if (node.kind !== 'opaque' && node.isResult) return 'function';
  const { yields } = node.kind === 'opaque' || node.kind === 'scalar' ? node : NOTHING;
  return typeof yields === 'string' ? yields : undefined;
}

const NOTHING: { readonly yields?: Yielded } = {};

/** Returns the value of a constant or an expression of constants, as if it were written there. */
export function constantIn(node: TreeNode): ScalarNode | undefined {
  if ((node.kind !== 'opaque' && node.kind !== 'scalar') || typeof node.yields === 'string') return undefined;
  return node.kind === 'scalar' && node.isResult ? undefined : node.yields;
}

/** Checks for `undefined`, which the engine reads as if the key were missing. */
export function isUndefined(node: TreeNode | undefined): boolean {
  if (!node) return false;
  const value = constantIn(node) ?? node;
  return value.kind === 'scalar' && value.isResult !== true && value.style === 'code' && value.value === 'undefined';
}

/** Checks a computed value, of which only the kind is known, against its type. */
export function checkComputed(site: Site, kind: ValueKind): Problem[] {
  const { node, type } = site;
  if ((kind === 'function' && mayBeCalled(site)) || mayBe(type, kind, site)) return [];
  return [{ ...wrongType(node, ''), message: `This is ${GIVEN[kind] ?? `a ${kind}`}, but must be ${expected(type)}.` }];
}

/** Checks for a value of a view that the engine takes from a function. */
function mayBeCalled({ node, type, key, parent }: Site): boolean {
  if (parent?.shape === 'defaultFilter' && (key === 'unless' || (key === 'member' && node.kind !== 'seq'))) return true;
  return isNamesOfGroups(type);
}

const GIVEN: Readonly<Partial<Record<ValueKind, string>>> = {
  'text or number': 'a text or a number',
  object: 'an object',
  map: 'an object',
  instance: 'an object without keys',
};

/** Shapes whose references are read as a list while the model is loaded. */
const LISTED = new Set(['viewCube', 'folder', 'memberLevel', 'memberMasking']);
const TEXTS: ReadonlySet<ValueKind> = new Set(['text', 'text or number']);
/** Booleans that the engine also accepts as texts. */
const LENIENT = new Set(['split', 'allow_non_strict_date_range_match']);

/** Checks whether the engine may accept a value of this kind. */
function mayBe(type: Type, kind: ValueKind, site: Site): boolean {
  switch (type.is) {
    case 'text':
      return TEXTS.has(kind) || isDefaulted(kind, site);
    case 'boolean':
      return kind === 'boolean' || (TEXTS.has(kind) && LENIENT.has(site.key ?? ''));
    case 'number':
      return kind === 'number' || TEXTS.has(kind);
    case 'list':
      return mayBeList(type.of, kind, site);
    case 'map':
      return mayBeMap(type.shape, kind);
    case 'members':
      return mayHoldMembers(kind, site);
    case 'either':
      return type.of.some((option) => mayBe(option, kind, site));
    default:
      return true;
  }
}

const OBJECTS: ReadonlySet<ValueKind> = new Set(['object', 'map']);
/** Objects without keys. */
const EMPTY: ReadonlySet<ValueKind> = new Set(['instance', 'regexp']);

function mayBeMap(shape: ShapeName, kind: ValueKind): boolean {
  const { keys, rules = [] } = language[shape];
  const needsKeys =
    Object.values(keys).some((key) => key?.required) || rules.some(({ rule, when }) => rule === 'some' && !when);
  return OBJECTS.has(kind) || (EMPTY.has(kind) && !needsKeys);
}

const NESTED = new Set(['granularities', 'indexes']);

function mayHoldMembers(kind: ValueKind, { key = '' }: Site): boolean {
  return NESTED.has(key) ? OBJECTS.has(kind) || EMPTY.has(kind) : kind !== 'text';
}

/** Checks for the type of a pre-aggregation, which is a rollup without one. */
function isDefaulted(kind: ValueKind, { key, parent }: Site): boolean {
  return kind === 'number' && key === 'type' && parent?.shape === 'preAggregation';
}

function mayBeList({ is }: Type, kind: ValueKind, { key = '', parent }: Site): boolean {
  if (GROUP_SHAPES.has(parent?.shape ?? '') && mayBeViews(kind, key)) return true;
  if (is === 'any' || (is === 'reference' && !LISTED.has(parent?.shape ?? ''))) return true;
  return kind === 'object' || kind === 'list' || (kind === 'number' && mayBeNaN(key));
}

/** Checks for a list that counts as missing with `NaN`. */
function mayBeNaN(key: string): boolean {
  return PASSED_OVER.has(key) && key !== 'time_shift';
}

/** Checks for the views of a group: the engine calls a function, and takes a text for the name of a view. */
function mayBeViews(kind: ValueKind, key: string): boolean {
  return kind === 'function' || (key === 'views' && TEXTS.has(kind));
}

function expected(type: Type): string {
  switch (type.is) {
    case 'text':
      return 'text';
    case 'boolean':
      return 'true or false';
    case 'number':
      return 'a number';
    case 'list':
      return 'a list';
    case 'map':
      return `an object (${nounOf(language[type.shape])})`;
    case 'either':
      return type.of.map(expected).join(' or ');
    default:
      return 'an object';
  }
}
