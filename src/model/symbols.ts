import { append } from '#base/long-lists.ts';
import { camelize } from './language/camelize.ts';
import { canonicalKey, lateKey } from './language/language.ts';
import { findText, findValue, type Chunk, type ChunkEntity, ChunkNotes } from './chunk.ts';
import { isComputed, isOpenAt, itemsIn, namedIn, pathIn, scalarAt } from './read.ts';
import { extractReferences, type Reference, type ReferenceSource } from './references.ts';
import type { Path } from '#model/expressions/strings.ts';
import type { Entity, EntityKind } from './syntax/entity.ts';
import { namePattern } from '#model/syntax/name-pattern.ts';
import { endOf, Kind, kindOf, nextOf, startOf, STRIDE, valueOf } from './syntax/tape.ts';
import { isDynamic, type ScalarNode } from './syntax/tree.ts';
import { entityShapes } from './typed.ts';
import { nearestName } from './suggest.ts';
import { ViewCubeSymbol } from './view-cube.ts';
import { Written } from './written.ts';

export type MemberKind = 'dimension' | 'measure' | 'segment' | 'hierarchy' | 'preAggregation';

/** A member as written in its cube or view. */
export class MemberSymbol extends Written {
  readonly kind: MemberKind;
  readonly name: string;
  readonly nameNode: ScalarNode;
  readonly owner: EntitySymbol;

  constructor(kind: MemberKind, owner: EntitySymbol, cell: number, nameNode: ScalarNode) {
    super(owner.chunk, cell);
    this.kind = kind;
    this.name = nameNode.value;
    this.nameNode = nameNode;
    this.owner = owner;
  }
}

/** A join as written in its cube. */
export class JoinSymbol extends Written {
  readonly name: string;
  readonly nameNode: ScalarNode;
  readonly relationship: string | undefined;

  constructor(chunk: Chunk, cell: number, nameNode: ScalarNode) {
    super(chunk, cell);
    this.name = nameNode.value;
    this.nameNode = nameNode;
    this.relationship = this.text('relationship');
  }
}

const GROUPS: Readonly<Record<string, MemberKind>> = {
  dimensions: 'dimension',
  measures: 'measure',
  segments: 'segment',
  hierarchies: 'hierarchy',
  pre_aggregations: 'preAggregation',
};

/** The facts about an entity, read from the tape when one of them is first needed. */
interface Facts {
  open: boolean;
  /** Patterns of partly known member names. */
  readonly patterns: RegExp[];
  extends: Path | undefined;
  extendsUnknown: boolean;
  readonly members: Map<string, MemberSymbol>;
  readonly duplicates: MemberSymbol[];
  readonly joins: JoinSymbol[];
  /** Whether there is an `access_policy`, with which the engine reads the members of a view earlier. */
  hasPolicy: boolean;
  readonly cubes: ViewCubeSymbol[];
}

/** A cube, view or view group and what it defines and uses. Offsets are its chunk's. */
export class EntitySymbol {
  readonly kind: EntityKind;
  readonly name: string;
  readonly nameNode: ScalarNode | undefined;
  readonly chunk: Chunk;
  /** Whether its name is known only when the model runs. */
  readonly dynamic: boolean;
  readonly #entity: ChunkEntity;
  #expansions: readonly EntitySymbol[] | undefined;
  #facts: Facts | undefined;
  #references: readonly Reference[] | undefined;
  #mentions: ReadonlySet<string> | undefined;

  constructor(entity: ChunkEntity, chunk: Chunk) {
    this.kind = entity.kind;
    this.nameNode = entity.nameCell === -1 ? undefined : scalarAt(chunk, entity.nameCell);
    this.name = this.nameNode?.value ?? '';
    this.chunk = chunk;
    const isComputedName = this.name === '' || (this.nameNode?.style === 'template' && this.name.includes('${'));
    // Without a name, a template expression may replace the key or the whole line.
    const isHidden = this.name === '' && chunk.hasFiller;
    this.dynamic = isDynamic(this.name) || isHidden || (chunk.kind === 'script' && isComputedName);
    this.#entity = entity;
  }

  get entity(): Entity {
    return this.#entity;
  }

  /** What a script makes of it, each time that it runs; empty if it is written out, or if that is not known. */
  get expansions(): readonly EntitySymbol[] {
    this.#expansions ??= (this.#entity.expansions ?? NO_ENTITIES).map((entity) => new EntitySymbol(entity, this.chunk));
    return this.#expansions;
  }

  /** The range of its name and its definition in the script. */
  get written(): Pick<ScalarNode, 'start' | 'end'> {
    return this.#entity.written ?? this.#entity.node;
  }

  /**
   * Whether its own members can be named without `CUBE`: the engine searches a script for them before it runs it, so it must see
   * which cube they belong to.
   */
  get hasBareNames(): boolean {
    const { nameNode } = this;
    if (this.chunk.kind !== 'script') return true;
    if (this.#entity.written) return this.#entity.isNameWritten === true;
    const isText = nameNode?.style === 'single' || nameNode?.style === 'double' || nameNode?.style === 'template';
    return isText && !this.dynamic;
  }

  /** The names that it has each time that a script runs it; undefined if it may have any. */
  get runNames(): readonly string[] | undefined {
    if (this.#entity.hasAllExpansions !== true) return undefined;
    const names = [...this.expansions.map(({ name }) => name), ...(this.#entity.possibleNames ?? [])];
    return names.every((name) => namePattern(name)) ? names : undefined;
  }

  /** Whether it may have more or other members than the written ones (templates, spreads). */
  get open(): boolean {
    const { open, patterns } = this.#read();
    return open || patterns.length > 0;
  }

  /** Patterns of its further members' names; undefined if they may be anything. */
  get openNames(): readonly RegExp[] | undefined {
    const { open, patterns } = this.#read();
    return open ? undefined : patterns;
  }

  get extends(): Path | undefined {
    return this.#read().extends;
  }

  /** Whether `extends` exists but is not a plain path. */
  get extendsUnknown(): boolean {
    return this.#read().extendsUnknown;
  }

  /** The first member of each name. */
  get members(): ReadonlyMap<string, MemberSymbol> {
    return this.#read().members;
  }

  /** Further members whose name is already taken. */
  get duplicates(): readonly MemberSymbol[] {
    return this.#read().duplicates;
  }

  get joins(): readonly JoinSymbol[] {
    return this.#read().joins;
  }

  get cubes(): readonly ViewCubeSymbol[] {
    return this.#read().cubes;
  }

  get hasPolicy(): boolean {
    return this.#read().hasPolicy;
  }

  get references(): readonly Reference[] {
    this.#references ??= extractReferences(this.#source());
    return this.#references;
  }

  /** Every word of its references: an entity that does not mention a name does not use it. Small enough to cache. */
  get mentions(): ReadonlySet<string> {
    if (!this.#mentions) {
      const wasThere = this.#references !== undefined;
      this.#mentions = wordsOf(this.references);
      if (!wasThere) this.#references = undefined;
    }
    return this.#mentions;
  }

  /** Returns at least the references in whose text a word occurs: much cheaper than all of them. */
  referencesWith(word: string): readonly Reference[] {
    return this.#references ?? extractReferences(this.#source(), word);
  }

  /** Returns the text under one of its own keys. */
  text(...keys: readonly string[]): string | undefined {
    return findText(this.chunk, this.#entity.cell, ...keys);
  }

  /** Frees everything that can be read again. */
  release(): void {
    if (this.#references) this.#mentions ??= wordsOf(this.#references);
    this.#references = undefined;
  }

  #source(): ReferenceSource {
    return {
      chunk: this.chunk,
      cell: this.#entity.cell,
      shape: entityShapes[this.kind],
      names: () => this.#names(),
      keys: this.#entity.computedKeys,
    };
  }

  /** Returns the names of members and joins by offset. */
  #names(): ReadonlyMap<number, ScalarNode> {
    const { members, duplicates, joins } = this.#read();
    const names = new Map<number, ScalarNode>();
    for (const { nameNode } of members.values()) names.set(nameNode.start, nameNode);
    for (const { nameNode } of [...duplicates, ...joins]) names.set(nameNode.start, nameNode);
    return names;
  }

  #read(): Facts {
    if (!this.#facts) {
      this.#facts = readFacts(this, this.#entity.cell);
      closeNames(this.#facts, this.expansions);
    }
    return this.#facts;
  }
}

const NO_ENTITIES: readonly ChunkEntity[] = [];

/** Narrows the names that further members may have to those that an entity has when its script runs. */
function closeNames(facts: Facts, [only, ...more]: readonly EntitySymbol[]): void {
  const names = more.length === 0 ? only?.openNames : undefined;
  if (!only || !names) return;
  facts.open = false;
  append(facts.patterns, names);
  for (const name of only.members.keys())
    if (!facts.members.has(name) && /^\w+$/.test(name)) facts.patterns.push(new RegExp(`^${name}$`));
}

function wordsOf(references: readonly Reference[]): ReadonlySet<string> {
  return new Set(references.flatMap(({ segments }) => segments.map(({ text }) => text)));
}

const cache = new ChunkNotes<readonly EntitySymbol[]>();

/** Returns what a chunk defines and uses; computed once per chunk. */
export function symbolsOf(chunk: Chunk): readonly EntitySymbol[] {
  let symbols = cache.get(chunk);
  if (!symbols) {
    symbols = chunk.entities.map((entity) => new EntitySymbol(entity, chunk));
    cache.set(chunk, symbols);
  }
  return symbols;
}

/** Frees what was created to read a chunk and can be created again: closed files are rarely needed. */
export function releaseChunk(chunk: Chunk): void {
  chunk.release();
  for (const symbol of cache.get(chunk) ?? []) symbol.release();
}

function readFacts(owner: EntitySymbol, cell: number): Facts {
  const { chunk } = owner;
  const { tape, text } = chunk;
  const facts: Facts = {
    open: isOpenAt(chunk, cell) || chunk.open || isBroken(chunk, cell),
    patterns: [],
    extends: undefined,
    extendsUnknown: false,
    members: new Map(),
    duplicates: [],
    joins: [],
    hasPolicy: false,
    cubes: [],
  };
  const after = nextOf(tape, cell);
  for (let key = cell + STRIDE; key < after; key = nextOf(tape, key + STRIDE)) {
    const name = canonicalKey(entityShapes[owner.kind], valueOf(tape, text, key));
    const value = key + STRIDE;
    if (name !== undefined && kindOf(tape, value) !== Kind.none) addFact(facts, owner, name, value);
    else if (name === undefined && isMisspeltGroup(valueOf(tape, text, key), owner)) facts.open = true;
  }
  return facts;
}

/**
 * Checks for a group of members whose key is misspelt: its members are written, so a reference to one is not another mistake. One
 * that the engine takes too late is an accepted key, so that only the reference is wrong.
 */
function isMisspeltGroup(key: string, { chunk: { kind }, kind: owner }: EntitySymbol): boolean {
  if (kind !== 'script' && Object.hasOwn(GROUPS, lateKey(entityShapes[owner], key) ?? '')) return false;
  return nearestName(key, groupNames) !== undefined;
}

const groupNames = Object.keys(GROUPS).flatMap((name) => [name, camelize(name)]);

/**
 * Checks whether an entity's text is broken, so that its tree may be incomplete; the definitions of a script are read separately.
 */
function isBroken({ kind, problems, tape }: Chunk, cell: number): boolean {
  if (kind !== 'script') return problems.length > 0;
  return problems.some(({ start }) => startOf(tape, cell) <= start && start <= endOf(tape, cell));
}

function addFact(facts: Facts, owner: EntitySymbol, key: string, value: number): void {
  const { chunk } = owner;
  const kind = Object.hasOwn(GROUPS, key) ? GROUPS[key] : undefined;
  if (kind) addMembers(facts, owner, kind, value);
  else if (key === 'joins') {
    for (const { cell, name } of namedIn(chunk, value)) facts.joins.push(new JoinSymbol(chunk, cell, name));
  } else if (key === 'cubes') {
    if (kindOf(chunk.tape, value) !== Kind.seq || isOpenAt(chunk, value)) facts.open = true;
    for (const item of itemsIn(chunk, value))
      if (kindOf(chunk.tape, item) === Kind.map) facts.cubes.push(new ViewCubeSymbol(chunk, item));
  } else if (key === 'access_policy') facts.hasPolicy = true;
  else if (key === 'extends') {
    const path = pathIn(chunk, value);
    if (path) facts.extends = path;
    else facts.extendsUnknown = true;
  }
}

function addMembers(facts: Facts, owner: EntitySymbol, kind: MemberKind, value: number): void {
  const { chunk } = owner;
  const { tape } = chunk;
  // A computed value (a spread, a call) may contain any member.
  if (isComputed(chunk, value) || isOpenAt(chunk, value)) facts.open = true;
  for (const { cell, name } of namedIn(chunk, value)) {
    if (isDynamic(name.value)) addUnknown(facts, name.value);
    else if (!isName.test(name.value)) facts.open = true;
    const symbol = new MemberSymbol(kind, owner, cell, name);
    if (facts.members.has(symbol.name)) facts.duplicates.push(symbol);
    else facts.members.set(symbol.name, symbol);
  }
  const after = nextOf(tape, value);
  if (kindOf(tape, value) === Kind.seq) {
    for (let item = value + STRIDE; item < after; item = nextOf(tape, item))
      if (isNamedOddly(chunk, item)) facts.open = true;
  }
  if (kindOf(tape, value) !== Kind.map) return;
  for (let key = value + STRIDE; key < after; key = nextOf(tape, key + STRIDE))
    if (isComputed(chunk, key + STRIDE)) addComputed(facts, chunk, valueOf(tape, chunk.text, key));
}

/** Records a member of a script of which only the name is known: `total: make()`. */
function addComputed(facts: Facts, { kind }: Chunk, name: string): void {
  if (kind === 'script' && /^\w+$/.test(name)) facts.patterns.push(new RegExp(`^${name}$`));
  else facts.open = true;
}

/** Records a member whose name only the platform knows. */
function addUnknown(facts: Facts, name: string): void {
  const pattern = namePattern(name);
  if (pattern) facts.patterns.push(pattern);
  else facts.open = true;
}

/** A name that a member can have. One with another name, or without one, may be the member that a reference is about. */
const isName = /^[A-Za-z_]\w*$/;

/** Checks for a member whose name is missing or not text: the engine converts `[id]` to one, and aliases hold anything. */
function isNamedOddly(chunk: Chunk, item: number): boolean {
  if (kindOf(chunk.tape, item) !== Kind.map) return kindOf(chunk.tape, item) === Kind.opaque;
  const name = findValue(chunk, item, 'name');
  return name === -1 || kindOf(chunk.tape, name) !== Kind.scalar;
}
