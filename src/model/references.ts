import { camelize, language } from './language/language.ts';
import type { ShapeName, Target, Type } from './language/types.ts';
import { type Path, readExpression, readTemplate, type Segment } from './strings.ts';
import type { Entity } from './syntax/entity.ts';
import { isDynamic, type MapNode, type ScalarNode, type TreeNode } from './syntax/tree.ts';
import { entityShapes } from './typed.ts';

/** A place where the model names something of the model. Offsets are the part's. */
export interface Reference {
  readonly segments: readonly Segment[];
  readonly start: number;
  readonly end: number;
  /** `sql`: inside a template; `path`: a reference expression; `name`: a plain name that stands for something. */
  readonly form: 'sql' | 'path' | 'name';
  readonly target: Target;
  /** Whether the engine resolves it when it compiles (otherwise only when a query needs it, or never). */
  readonly checked: boolean;
  /** The key that holds it, in the table's spelling. */
  readonly key: string;
  /** The innermost shape around it. */
  readonly shape: string;
  /** The member it stands in. */
  readonly memberName: ScalarNode | undefined;
  readonly whole: boolean;
  readonly call: boolean;
  /** The value that holds it. */
  readonly node: ScalarNode;
}

/** Shapes whose references the engine never looks at when it compiles (verified against it). */
const LATE_SHAPES = new Set([
  'preAggregation',
  'timeDimension',
  'index',
  'outputColumn',
  'policyCondition',
  'case',
  'memberLevel',
  'memberMasking',
]);
/** Shapes whose own `sql` the engine resolves when it compiles. */
const EARLY_SQL = new Set(['dimension', 'measure', 'segment']);
/** Keys that the engine reads only of multi-stage members. */
const STAGE_KEYS = new Set([
  'group_by',
  'reduce_by',
  'add_group_by',
  'time_dimension',
  'exclude',
  'keep_only',
  'include',
]);

/** Every reference of an entity, in order. */
export function extractReferences(entity: Entity, text: string): readonly Reference[] {
  const extractor = new Extractor(text);
  extractor.map(entity.node, entityShapes[entity.kind], false);
  return extractor.references;
}

/** A key whose value can hold references, with what has to be known of it. */
interface RelevantKey {
  readonly name: string;
  readonly type: Type;
}

const relevant = new Map<ShapeName, ReadonlyMap<string, RelevantKey>>();

/** The keys of a shape, in either spelling, below which references can stand: all others are passed over. */
function relevantKeys(shape: ShapeName): ReadonlyMap<string, RelevantKey> {
  let keys = relevant.get(shape);
  if (!keys) {
    const { camel, keys: all } = language[shape];
    const entries = Object.entries(all).flatMap(([name, { type }]): [string, RelevantKey][] => {
      const key = { name, type };
      return holdsReferences(type)
        ? [[name, key], ...(camel ? [[camelize(name), key] satisfies [string, RelevantKey]] : [])]
        : [];
    });
    keys = new Map(entries);
    relevant.set(shape, keys);
  }
  return keys;
}

function holdsReferences(type: Type): boolean {
  if (type.is === 'list') return holdsReferences(type.of);
  if (type.is === 'either') return type.of.some(holdsReferences);
  return type.is === 'text'
    ? type.to !== undefined
    : type.is === 'sql' || type.is === 'reference' || type.is === 'map' || type.is === 'members';
}

/** Walks an entity by its types without making anything but references: this runs over every file of a model. */
class Extractor {
  readonly references: Reference[] = [];
  readonly #text: string;
  #memberName: ScalarNode | undefined;
  #shape: ShapeName = 'cube';
  #key = '';
  #depth = 0;
  #multiStage = false;

  constructor(text: string) {
    this.#text = text;
  }

  map(node: MapNode, shape: ShapeName, inJoin: boolean): void {
    const outerShape = this.#shape;
    const outerKey = this.#key;
    const keys = relevantKeys(shape);
    if (shape === 'measure' || shape === 'dimension') this.#multiStage = isMultiStage(node);
    this.#depth++;
    for (const pair of node.pairs) {
      const key = pair.value && keys.get(pair.key.value);
      // A join's own name is a reference that comes first.
      if (!key || !pair.value || (inJoin && key.name === 'name')) continue;
      this.#shape = shape;
      this.#key = key.name;
      this.#value(pair.value, key.type);
    }
    this.#depth--;
    this.#shape = outerShape;
    this.#key = outerKey;
  }

  #value(node: TreeNode, declared: Type): void {
    const type = declared.is === 'either' ? typeFor(node, declared) : declared;
    if (!type) return;
    if (type.is === 'members') this.#members(node, type.shape);
    else if (node.kind === 'scalar') this.#scalar(node, type);
    else if (node.kind === 'map' && type.is === 'map') this.map(node, type.shape, false);
    else if (node.kind === 'seq' && type.is === 'list') {
      for (const item of node.items) if (item) this.#value(item, type.of);
    }
  }

  #members(node: TreeNode, shape: ShapeName): void {
    const visit = (item: MapNode, name: ScalarNode | undefined): void => {
      if (this.#depth === 1) this.#memberName = name;
      const isJoin = shape === 'join';
      if (isJoin && name) this.#join(name);
      this.map(item, shape, isJoin);
    };
    if (node.kind === 'seq') {
      for (const item of node.items) if (item?.kind === 'map') visit(item, nameOf(item));
    } else if (node.kind === 'map') {
      for (const { key, value } of node.pairs) if (value?.kind === 'map') visit(value, key);
    }
    if (this.#depth === 1) this.#memberName = undefined;
  }

  #join(name: ScalarNode): void {
    const base = {
      form: 'name',
      target: 'cube',
      checked: true,
      key: 'joins',
      shape: 'join',
      memberName: name,
      node: name,
      whole: true,
      call: false,
    } as const;
    if (!isDynamic(name.value))
      this.references.push({ ...base, segments: nameSegments(name), start: name.start, end: name.end });
  }

  #scalar(node: ScalarNode, type: Type): void {
    if (type.is === 'sql') this.#paths(node, readTemplate(this.#text, node).paths, 'sql', 'member');
    else if (isDynamic(node.value)) return;
    else if (type.is === 'reference') this.#paths(node, referencePaths(this.#text, node), 'path', type.to);
    else if (type.is === 'text' && type.to) this.#name(node, type.to);
  }

  #name(node: ScalarNode, to: Target): void {
    if (node.style === 'code') this.#paths(node, readExpression(this.#text, node).paths, 'path', to);
    else this.#push(node, to, 'name', nameSegments(node), node.start, node.end, true, false);
  }

  #paths(node: ScalarNode, paths: readonly Path[], form: 'sql' | 'path', target: Target): void {
    for (const { segments, start, end, whole, call } of paths)
      this.#push(node, target, form, segments, start, end, whole, call);
  }

  #push(
    node: ScalarNode,
    target: Target,
    form: Reference['form'],
    segments: readonly Segment[],
    start: number,
    end: number,
    whole: boolean,
    call: boolean,
  ): void {
    const checked = this.#isChecked(form);
    this.references.push({
      segments,
      start,
      end,
      form,
      target,
      checked,
      key: this.#key,
      shape: this.#shape,
      memberName: this.#memberName,
      whole,
      call,
      node,
    });
  }

  #isChecked(form: Reference['form']): boolean {
    if (form === 'sql') return EARLY_SQL.has(this.#shape) && this.#key === 'sql';
    if (LATE_SHAPES.has(this.#shape) || this.#key === 'excludes') return false;
    return !STAGE_KEYS.has(this.#key) || this.#shape === 'viewCube' || this.#multiStage;
  }
}

/** Which of several types a node is written as. */
function typeFor(node: TreeNode, { of }: Type & { readonly is: 'either' }): Type | undefined {
  if (node.kind === 'map') return of.find(({ is }) => is === 'map');
  if (node.kind === 'seq') return of.find(({ is }) => is === 'list');
  return of.find((option) => option.is === 'reference' || (option.is === 'text' && option.to !== undefined));
}

function nameOf(node: MapNode): ScalarNode | undefined {
  const value = node.pairs.find(({ key }) => key.value === 'name')?.value;
  return value?.kind === 'scalar' ? value : undefined;
}

/** An explicit f-string or a quoted JavaScript path are templates; anything else is an expression. */
function referencePaths(text: string, node: ScalarNode): readonly Path[] {
  return node.style === 'template' ? readTemplate(text, node).paths : readExpression(text, node).paths;
}

/** The parts of a dotted name, with the offsets of its text inside quotes. */
function nameSegments(node: ScalarNode): readonly Segment[] {
  const quoted = node.style === 'double' || node.style === 'single' || node.style === 'template';
  let start = node.start + (quoted ? 1 : 0);
  return node.value.split('.').map((text) => {
    const segment = { text, start, end: start + text.length };
    start = segment.end + 1;
    return segment;
  });
}

function isMultiStage(node: MapNode): boolean {
  const flag = node.pairs.find(({ key }) => key.value === 'multi_stage' || key.value === 'multiStage')?.value;
  return flag?.kind === 'scalar' && flag.value === 'true';
}
