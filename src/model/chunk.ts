import { own } from '#base/own.ts';
import { isSpelling } from './language/camelize.ts';
import type { Anchor } from '#model/syntax/yaml/anchor.ts';
import type { Entity, EntityKind } from './syntax/entity.ts';
import { encode, type Grown, grow, Kind, kindOf, nextOf, STRIDE, type Tape, valueOf } from './syntax/tape.ts';
import type { ImportedFile } from '#model/syntax/script/imports.ts';
import { homeOf } from '#model/syntax/script/homes.ts';
import type { EndingCode, ParsedScript } from '#model/syntax/script/script.ts';
import type { UnwrappedCode } from './syntax/unwrapped-sql.ts';
import type { UndefinedName } from '#model/syntax/script/names.ts';
import type { MapNode, ScalarNode, SyntaxProblem, TreeNode } from './syntax/tree.ts';
import { FILLER, findPair } from './syntax/tree.ts';

/** The source of a chunk. */
export interface ChunkSource {
  /** The section that contains it: `cubes`, `views` … (empty: the whole file). */
  readonly section: string;
  readonly kind: 'item' | 'whole' | 'script';
  /** The parsed text: template tags are masked. */
  readonly text: string;
  readonly problems: readonly SyntaxProblem[];
  /** Template statements render some of its text zero, one or many times. */
  readonly templated: boolean;
  /** Rendering may yield members that are not written in it; defaults to `templated`. */
  readonly open?: boolean;
  /** YAML only: its anchors and aliases. */
  readonly anchors?: readonly Anchor[];
  /** JavaScript only: names that the file declares itself. */
  readonly locals: ReadonlySet<string>;
  /** JavaScript only: names that nothing declares. */
  readonly undefinedNames?: readonly UndefinedName[];
  /** JavaScript only: the code at which running the script always ends. */
  readonly mistakenCalls?: readonly EndingCode[];
  /** JavaScript only: SQL text that must be a function. */
  readonly unwrappedSql?: readonly UnwrappedCode[];
  /** JavaScript only: files of the model that it imports. */
  readonly imports?: readonly ImportedFile[];
  /** JavaScript only: see {@link ParsedScript}. */
  readonly script?: ScriptSource | undefined;
}

/** What is known of a script beside its definitions. */
export type ScriptSource = Pick<ParsedScript, 'changesImports' | 'files' | 'homes' | 'isComplete' | 'sqlNames'> & {
  /** The length of the script itself; the text of files that it imports follows. */
  readonly length: number;
};

/** Code in a file that a script imports. */
export interface ImportedCode {
  /** The file's path as scripts import it. */
  readonly path: string;
  /** Offsets in that file. */
  readonly start: number;
  readonly end: number;
}

/** An entity in a chunk: a cell of the tape; its nodes are created on demand. */
export interface ChunkEntity extends Entity {
  /** The cell of its map. */
  readonly cell: number;
  /** The cell of its name; -1 without one. */
  readonly nameCell: number;
  readonly expansions?: readonly ChunkEntity[] | undefined;
}

const NO_ANCHORS: readonly Anchor[] = [];
const KINDS: Readonly<Record<string, EntityKind>> = { cubes: 'cube', views: 'view', view_groups: 'viewGroup' };

/**
 * A piece of a model file that is parsed on its own; the same object as long as its text stays the same. It is stored as a tape;
 * the tree of nodes is a cache, created on demand and freed with `release`.
 */
export class Chunk implements ChunkSource {
  readonly section: string;
  readonly kind: ChunkSource['kind'];
  readonly text: string;
  readonly problems: readonly SyntaxProblem[];
  readonly templated: boolean;
  readonly open: boolean;
  readonly anchors: readonly Anchor[];
  readonly locals: ReadonlySet<string>;
  readonly undefinedNames: readonly UndefinedName[];
  readonly mistakenCalls: readonly EndingCode[];
  readonly unwrappedSql: readonly UnwrappedCode[];
  readonly imports: readonly ImportedFile[];
  readonly script: ScriptSource | undefined;
  readonly tape: Tape;
  readonly entities: readonly ChunkEntity[];
  /** Only for `ChunkNotes`. */
  readonly notes = new Map<object, unknown>();
  #grown: Grown | undefined;
  readonly #isPinned: boolean;
  #hasFiller: boolean | undefined;

  constructor(source: ChunkSource, tape: Tape, entities?: readonly ChunkEntity[], grown?: Grown) {
    this.section = source.section;
    this.kind = source.kind;
    this.text = source.text;
    this.problems = source.problems;
    this.templated = source.templated;
    this.open = source.open ?? source.templated;
    this.anchors = source.anchors ?? NO_ANCHORS;
    this.locals = source.locals;
    this.undefinedNames = source.undefinedNames ?? [];
    this.mistakenCalls = source.mistakenCalls ?? [];
    this.unwrappedSql = source.unwrappedSql ?? [];
    this.imports = source.imports ?? [];
    this.script = source.script;
    this.tape = tape;
    this.#grown = grown;
    this.#isPinned = entities !== undefined;
    this.entities = entities ?? this.#entities();
  }

  /** The tree of a YAML chunk. */
  get node(): TreeNode | undefined {
    return this.kind === 'script' ? undefined : this.#trees().roots[0];
  }

  /** Whether it contains template expressions, so that its keys, names and items may be anything. */
  get hasFiller(): boolean {
    this.#hasFiller ??= this.text.includes(FILLER);
    return this.#hasFiller;
  }

  /** Returns the map in a cell of the tape. */
  mapAt(cell: number): MapNode {
    const map = this.#trees().maps.get(cell);
    if (!map) throw new Error(`No map stands in cell ${cell}.`);
    return map;
  }

  /** Frees the tree, which is created again on demand. */
  release(): void {
    if (!this.#isPinned) this.#grown = undefined;
  }

  #trees(): Grown {
    this.#grown ??= grow(this.tape, this.text);
    return this.#grown;
  }

  #entities(): ChunkEntity[] {
    const { tape, text } = this;
    const found: ChunkEntity[] = [];
    if (this.kind === 'item') this.#addItems(found, own(KINDS, this.section), 0);
    else if (tape.cells.length > 0 && kindOf(tape, 0) === Kind.map) {
      const after = nextOf(tape, 0);
      for (let key = STRIDE; key < after; key = nextOf(tape, key + STRIDE))
        this.#addItems(found, own(KINDS, valueOf(tape, text, key)), key + STRIDE);
    }
    return found;
  }

  #addItems(found: ChunkEntity[], kind: EntityKind | undefined, list: number): void {
    const { tape } = this;
    if (!kind || list >= tape.cells.length || kindOf(tape, list) !== Kind.seq) return;
    const after = nextOf(tape, list);
    for (let item = list + STRIDE; item < after; item = nextOf(tape, item))
      if (kindOf(tape, item) === Kind.map) found.push(new YamlEntity(kind, this, item));
  }
}

/** Returns where a script uses code of a file that it imports; undefined for its own code, or if it is not known. */
export function homeInChunk(
  offset: number,
  { script }: Chunk,
): { readonly start: number; readonly end: number } | undefined {
  return script && offset > script.length ? homeOf(offset, script.homes) : undefined;
}

/**
 * Data derived from chunks, which is freed with them. A WeakMap does not work here: V8's young-generation collector treats all
 * its values as alive, whatever became of their keys, so that every keystroke leaks its results until the next full collection,
 * hundreds of megabytes later.
 */
export class ChunkNotes<T> {
  get(chunk: Chunk): T | undefined {
    return chunk.notes.get(this) as T | undefined;
  }

  set(chunk: Chunk, value: T): void {
    chunk.notes.set(this, value);
  }
}

/** Creates a chunk that was parsed to nodes: everything except plain YAML. */
export function chunkOfTree(source: ChunkSource, node: TreeNode | undefined): Chunk {
  return new Chunk(source, encode(node ? [node] : []).tape);
}

/** Creates a chunk of a script; it keeps its nodes, because only the script's parser can create them. */
export function chunkOfScript(source: ChunkSource, entities: readonly Entity[]): Chunk {
  const all = entities.flatMap((entity) => [entity, ...(entity.expansions ?? [])]);
  const roots = all.flatMap(({ node, nameNode }) => [node, nameNode]);
  const { tape, cellOf } = encode(roots);
  const maps = new Map<number, MapNode>();
  for (const [node, cell] of cellOf) if (node.kind === 'map') maps.set(cell, node);
  const place = (entity: Entity): ChunkEntity => {
    const nameCell = (entity.nameNode && cellOf.get(entity.nameNode)) ?? -1;
    return { ...entity, cell: cellOf.get(entity.node) ?? 0, nameCell, expansions: entity.expansions?.map(place) };
  };
  return new Chunk(source, tape, entities.map(place), { roots, maps });
}

class YamlEntity implements ChunkEntity {
  readonly kind: EntityKind;
  readonly conditional = false;
  readonly cell: number;
  readonly nameCell: number;
  readonly #chunk: Chunk;

  constructor(kind: EntityKind, chunk: Chunk, cell: number) {
    this.kind = kind;
    this.cell = cell;
    this.#chunk = chunk;
    const name = findValue(chunk, cell, 'name');
    this.nameCell = name !== -1 && kindOf(chunk.tape, name) === Kind.scalar ? name : -1;
  }

  get node(): MapNode {
    return this.#chunk.mapAt(this.cell);
  }

  get nameNode(): ScalarNode | undefined {
    const name = findPair(this.node, 'name')?.value;
    return name?.kind === 'scalar' ? name : undefined;
  }
}

/** Returns the cell of the value under the first of the keys that the map in a cell has; -1 if it has none. */
export function findValue(
  { tape, text }: Pick<Chunk, 'tape' | 'text'>,
  map: number,
  ...names: readonly string[]
): number {
  const after = nextOf(tape, map);
  for (let key = map + STRIDE; key < after; key = nextOf(tape, key + STRIDE))
    if (isSpelling(valueOf(tape, text, key), names)) return key + STRIDE;
  return -1;
}

/** Returns the text of the scalar under one of the keys. */
export function findText(
  chunk: Pick<Chunk, 'tape' | 'text'>,
  map: number,
  ...names: readonly string[]
): string | undefined {
  const at = findValue(chunk, map, ...names);
  return at !== -1 && kindOf(chunk.tape, at) === Kind.scalar ? valueOf(chunk.tape, chunk.text, at) : undefined;
}
