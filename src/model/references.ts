import { GROUP_SHAPES } from '#model/language/group-shapes.ts';
import { isTrue } from '#model/expressions/boolean-expression.ts';
import type { ShapeName, Target, Type } from './language/types.ts';
import { findText, findValue, type Chunk } from './chunk.ts';
import { nameSegments } from './name-range.ts';
import { isPutTogether, pathOf } from './read.ts';
import { relevantKey } from './relevant-keys.ts';
import { hasTemplate, type Path, readExpression, readTemplate, type Segment } from '#model/expressions/strings.ts';
import { readComputed } from '#model/expressions/computed-paths.ts';
import type { ComputedKeys } from './syntax/computed-keys.ts';
import { endOf, Kind, kindOf, nextOf, scalarIn, startOf, STRIDE, styleOf, valueOf } from './syntax/tape.ts';
import { FILLER, isDynamic, type ScalarNode, scalarType } from './syntax/tree.ts';

/** A name in the model that refers to another item of the model. Offsets are the chunk's. */
export interface Reference {
  readonly segments: readonly Segment[];
  readonly start: number;
  readonly end: number;
  /** `sql`: inside a template; `path`: a reference expression; `name`: a plain name. */
  readonly form: 'sql' | 'path' | 'name';
  readonly target: Target;
  /** Whether the engine resolves it when it compiles (otherwise only when a query needs it, or never). */
  readonly checked: boolean;
  /** Whether the code around it may never run: a branch, a function that something else calls. */
  readonly late: boolean;
  /** The key that holds it, as the tables of `language` spell it. */
  readonly key: string;
  /** The innermost surrounding shape. */
  readonly shape: string;
  /** The member that contains it. */
  readonly memberName: ScalarNode | undefined;
  readonly whole: boolean;
  readonly call: boolean;
  /** The value that holds it. */
  readonly node: ScalarNode;
}

/** Shapes whose references the engine never checks when it compiles (verified with the engine). */
const LATE_SHAPES = new Set([
  'preAggregation',
  'timeDimension',
  'index',
  'policyCondition',
  'case',
  'memberLevel',
  'memberMasking',
]);
/** Shapes whose own `sql` the engine resolves when it compiles. */
const EARLY_SQL = new Set(['dimension', 'measure', 'segment']);
/** Keys that the engine reads only in multi-stage members. */
const STAGE_KEYS = new Set([
  'group_by',
  'reduce_by',
  'add_group_by',
  'time_dimension',
  'exclude',
  'keep_only',
  'include',
]);

/** The text and the position to search for references. */
export interface ReferenceSource {
  readonly chunk: Chunk;
  /** The cell of an entity. */
  readonly cell: number;
  readonly shape: ShapeName;
  /** The nodes of the names of members and joins by start offset: a reference shares its member's node. */
  readonly names: () => ReadonlyMap<number, ScalarNode>;
  /** The names that code in brackets yields when a script runs. */
  readonly keys?: ComputedKeys | undefined;
}

/** Returns every reference of an entity, in order; with `word`, only those in values whose text contains it. */
export function extractReferences(source: ReferenceSource, word = ''): readonly Reference[] {
  const extractor = new Extractor(source, word);
  extractor.map(source.cell, source.shape, false);
  return extractor.references;
}

/** Walks an entity's tape by its types and allocates only references: this runs over every file of a model. */
class Extractor {
  readonly references: Reference[] = [];
  readonly #chunk: Chunk;
  readonly #source: ReferenceSource;
  readonly #word: string;
  /** Start of the search for the word, and its next occurrence after that. */
  #searchedFrom = 0;
  #wordAt = -1;
  /** Whether something in the chunk is unknown until it runs. */
  readonly #isDynamic: boolean;
  #names: ReadonlyMap<number, ScalarNode> | undefined;
  /** The cell of the surrounding member's name; -1 outside of members. */
  #member = -1;
  #shape: ShapeName = 'cube';
  #key = '';
  #depth = 0;
  #multiStage = false;
  /** Whether it is in a dimension whose SQL is a query of its own, which is not resolved before a query needs it. */
  #subQuery = false;
  /** Whether it is in SQL that a script assembles: only at run time is it known whether a fragment is used. */
  #isPieces = false;

  constructor(source: ReferenceSource, word: string) {
    this.#chunk = source.chunk;
    this.#source = source;
    this.#word = word;
    this.#isDynamic = source.chunk.text.includes(FILLER);
  }

  map(cell: number, shape: ShapeName, inJoin: boolean): void {
    const { tape, text } = this.#chunk;
    const outerShape = this.#shape;
    const outerKey = this.#key;
    if (EARLY_SQL.has(shape)) {
      this.#multiStage = findText(this.#chunk, cell, 'multi_stage', 'multiStage') === 'true';
      this.#subQuery = isTrue(findText(this.#chunk, cell, 'sub_query', 'subQuery'));
    }
    this.#depth++;
    const after = nextOf(tape, cell);
    for (let at = cell + STRIDE; at < after; at = nextOf(tape, at + STRIDE)) {
      const key = relevantKey(shape, valueOf(tape, text, at));
      // A join's own name is a reference that is visited first.
      if (!key || (inJoin && key.name === 'name')) continue;
      this.#shape = shape;
      this.#key = key.name;
      this.#value(at + STRIDE, key.type);
    }
    this.#depth--;
    this.#shape = outerShape;
    this.#key = outerKey;
  }

  #value(cell: number, declared: Type): void {
    const { tape } = this.#chunk;
    const kind = kindOf(tape, cell);
    const type = declared.is === 'either' ? typeFor(kind, declared) : declared;
    if (!type) return;
    if (type.is === 'members') this.#members(cell, kind, type.shape);
    // A single expression may replace a list of references.
    else if (kind === Kind.scalar) this.#scalar(cell, this.#single(type) ?? type);
    else if (kind === Kind.map && type.is === 'map') this.map(cell, type.shape, false);
    else if (kind === Kind.seq && this.#isResolvedAsList(type)) {
      const after = nextOf(tape, cell);
      this.#isPieces = type.is === 'sql';
      for (let item = cell + STRIDE; item < after; item = nextOf(tape, item))
        this.#value(item, type.is === 'list' ? type.of : type);
      this.#isPieces = false;
    }
  }

  /** Checks for a type in place of which the engine resolves all items of a list, as it does for the time dimension of a shift. */
  #isResolvedAsList(type: Type): boolean {
    if (type.is === 'list' || type.is === 'sql' || isGroup(type)) return true;
    return this.#shape === 'timeShift' && this.#key === 'time_dimension';
  }

  /** Returns the type of a single expression in place of a list; a script may name a single view of a group. */
  #single(type: Type): Type | undefined {
    if (type.is !== 'list') return undefined;
    if (type.of.is === 'reference') return type.of;
    if (type.of.is !== 'text') return undefined;
    const isView = this.#chunk.kind === 'script' && type.of.to === 'view';
    return isView || type.of.to === 'viewGroup' ? type.of : undefined;
  }

  #members(cell: number, kind: number, shape: ShapeName): void {
    const { tape } = this.#chunk;
    const isList = kind === Kind.seq;
    if (isList || kind === Kind.map) {
      const after = nextOf(tape, cell);
      for (let at = cell + STRIDE; at < after; at = nextOf(tape, at)) {
        const key = at;
        if (!isList) at += STRIDE;
        if (kindOf(tape, at) === Kind.map) this.#visit(at, isList ? findValue(this.#chunk, at, 'name') : key, shape);
      }
    }
    if (this.#depth === 1) this.#member = -1;
  }

  #visit(cell: number, name: number, shape: ShapeName): void {
    if (this.#depth === 1) this.#member = name;
    const isJoin = shape === 'join';
    if (isJoin && this.#holdsWord(name)) this.#join(this.#nameAt(name));
    this.map(cell, shape, isJoin);
  }

  #nameAt(cell: number): ScalarNode | undefined {
    const { tape, text } = this.#chunk;
    if (cell === -1 || kindOf(tape, cell) !== Kind.scalar) return undefined;
    this.#names ??= this.#source.names();
    return this.#names.get(startOf(tape, cell)) ?? scalarIn(tape, text, cell);
  }

  /** Checks whether the wanted word occurs in the text of a node; resumes from the last search. */
  #holdsWord(cell: number): boolean {
    if (this.#word === '' || cell === -1) return true;
    const start = startOf(this.#chunk.tape, cell);
    if (start < this.#searchedFrom || this.#wordAt < start) {
      this.#searchedFrom = start;
      const found = this.#chunk.text.indexOf(this.#word, start);
      this.#wordAt = found === -1 ? Infinity : found;
    }
    return this.#wordAt < endOf(this.#chunk.tape, cell);
  }

  #join(name: ScalarNode | undefined): void {
    if (!name || isDynamic(name.value)) return;
    const base = {
      form: 'name',
      target: 'cube',
      checked: true,
      late: false,
      key: 'joins',
      shape: 'join',
      memberName: name,
      node: name,
      whole: true,
      call: false,
    } as const;
    this.references.push({ ...base, segments: nameSegments(name, this.#chunk.text), start: name.start, end: name.end });
  }

  #scalar(cell: number, type: Type): void {
    if (type.is === 'sql') this.#sql(cell);
    if (type.is !== 'reference' && (type.is !== 'text' || !type.to)) return;
    if (!this.#holdsWord(cell)) return;
    const { tape, text } = this.#chunk;
    const node = scalarIn(tape, text, cell);
    if (this.#isDynamic && isDynamic(node.value)) return;
    if (isPutTogether(this.#chunk, node))
      // As an expression it is a text, like one that is written there.
      this.#paths(node, [pathOf(node)], type.is === 'reference' ? 'path' : 'name', type.to ?? 'member');
    else if (type.is === 'reference') this.#paths(node, referencePaths(text, node, type.to), 'path', type.to);
    else if (type.to) this.#name(node, type.to);
  }

  #sql(cell: number): void {
    const { tape, text } = this.#chunk;
    const style = styleOf(tape, cell);
    const start = startOf(tape, cell);
    const end = endOf(tape, cell);
    const hidden = this.#chunk.script?.sqlNames.hiddenIn({ start, end }) ?? [];
    // A text of a script in quotes is not a template.
    const isText = this.#chunk.kind === 'script' && (style === 'double' || style === 'single');
    // Most SQL refers to nothing in the model.
    const isPlain = isText || (style !== 'code' && !hasTemplate(text, start, end, style));
    if ((isPlain && hidden.length === 0) || !this.#holdsWord(cell)) return;
    const node = scalarIn(tape, text, cell);
    this.#paths(node, [...(isPlain ? [] : this.#pathsOf(node)), ...hidden], 'sql', 'member');
  }

  #pathsOf(node: ScalarNode): readonly Path[] {
    const { keys, chunk } = this.#source;
    if (keys) return readComputed(chunk.text, node, keys);
    return (node.style === 'code' ? readExpression : readTemplate)(chunk.text, node).paths;
  }

  #name(node: ScalarNode, to: Target): void {
    // A script puts the name together when it runs.
    if (node.style === 'template' && node.value.includes('${')) return;
    if (this.#key === 'includes' && isPassedOver(this.#shape, this.#chunk, node)) return;
    if (node.style === 'code') this.#paths(node, readExpression(this.#chunk.text, node).paths, 'path', to);
    else this.#push(node, to, 'name', nameSegments(node, this.#chunk.text), node.start, node.end, true, false, false);
  }

  #paths(node: ScalarNode, paths: readonly Path[], form: Reference['form'], target: Target): void {
    const names = form === 'sql' ? this.#chunk.script?.sqlNames : undefined;
    for (const { segments, start, end, whole, call, late } of paths) {
      const name = names?.at(start);
      // Of the names that code joins to SQL, only those that it certainly reads are worth a word.
      if (name === 'none' || (this.#isPieces && name !== 'certain' && node.style === 'code' && segments.length === 1))
        continue;
      this.#push(
        node,
        target,
        form,
        segments,
        start,
        end,
        whole,
        call,
        late || name === 'possible',
        name === 'certain',
      );
    }
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
    late: boolean,
    isCertain = false,
  ): void {
    const checked = !late && this.#isChecked(form, node, isCertain);
    this.references.push({
      segments,
      start,
      end,
      form,
      target,
      checked,
      late,
      key: this.#key,
      shape: this.#shape,
      memberName: this.#nameAt(this.#member),
      whole,
      call,
      node,
    });
  }

  /** Checks whether the engine resolves SQL when it compiles; `isCertain`: whether it always evaluates the code. */
  #isEarly(isCertain: boolean): boolean {
    return EARLY_SQL.has(this.#shape) && this.#key === 'sql' && !this.#subQuery && (isCertain || !this.#isPieces);
  }

  #isChecked(form: Reference['form'], node: ScalarNode, isCertain: boolean): boolean {
    // In a script, a quoted text is not a reference, except in the default filters of a view.
    const isText = form === 'path' && node.style !== 'code' && !node.value.includes('${');
    if (isText && this.#chunk.kind === 'script' && this.#shape !== 'defaultFilter') return false;
    if (form === 'sql') return this.#isEarly(isCertain);
    if (LATE_SHAPES.has(this.#shape) || this.#key === 'excludes') return false;
    return !STAGE_KEYS.has(this.#key) || this.#shape === 'viewCube' || this.#multiStage;
  }
}

/** Checks for a number and the like among the views of a group, which the engine passes over. */
function isPassedOver(shape: ShapeName, { kind }: Chunk, node: ScalarNode): boolean {
  return kind === 'script' && GROUP_SHAPES.has(shape) && scalarType(node) !== 'string';
}

/** Checks for the name of a view group, in place of which there may be a list of them. */
function isGroup(type: Type): boolean {
  return type.is === 'text' && type.to === 'viewGroup';
}

/** Returns which of several types applies to a node of a kind. */
function typeFor(kind: number, { of }: Type & { readonly is: 'either' }): Type | undefined {
  if (kind === Kind.map) return of.find(({ is }) => is === 'map');
  if (kind === Kind.seq) return of.find(({ is }) => is === 'list');
  return of.find((option) => option.is === 'reference' || (option.is === 'text' && option.to !== undefined));
}

/**
 * Returns the paths of a reference. An explicit f-string or a quoted JavaScript path is a template; anything else is an
 * expression.
 */
function referencePaths(text: string, node: ScalarNode, to: Target): readonly Path[] {
  // A join path may be a text in any quotes.
  const isTemplate = node.style === 'template' && (to !== 'joinPath' || node.value.includes('${'));
  return isTemplate ? readTemplate(text, node).paths : readExpression(text, node).paths;
}
