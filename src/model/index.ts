import { append } from '#base/long-lists.ts';
import type { Problem } from './codes.ts';
import { type Effective, effectiveMembers, type EffectiveMembers } from './effective.ts';
import type { ModelFile, Chunk } from './file.ts';
import { homeInChunk } from './chunk.ts';
import { LinkedFiles } from './linked-files.ts';
import { signatureOf } from './signature.ts';
import { type EntitySymbol, symbolsOf } from './symbols.ts';
import { namePattern } from '#model/syntax/name-pattern.ts';
import type { Rendering } from './templates/rendering.ts';
import type { SourceRange } from './templates/source-map.ts';
import type { TemplateFailure, TemplateResult } from './templates/template-failure.ts';

/** Position of a section in its file. */
export interface Placement {
  readonly file: ModelFile;
  readonly start: number;
  /** Set if the chunk belongs to the output of the file's template: `start` is then an offset of the rendered text. */
  readonly rendering?: Rendering | undefined;
}

/** Returns the range of the file that a range of one of its chunks corresponds to. */
export function rangeInFile({ file, start: base, rendering }: Placement, start: number, end: number): SourceRange {
  if (rendering) return rendering.rangeIn(file, base + start, base + end);
  if (file.language === 'script' && end > file.text.length) return { ...homeIn(file, start), isExact: false };
  return { start: base + start, end: base + end, isExact: true };
}

/** Returns where a script uses code of a file that it imports, whose offset is behind the script. */
function homeIn({ chunks }: ModelFile, offset: number): Pick<SourceRange, 'end' | 'start'> {
  return (
    chunks.map(({ chunk }) => homeInChunk(offset, chunk)).find((home) => home !== undefined) ?? { start: 0, end: 0 }
  );
}

/** Names that `globals.py` gives to templates. */
export interface TemplateNames {
  readonly names: readonly string[];
  /** Whether a `globals.py` exists. */
  readonly isPython: boolean;
}

interface Derived {
  readonly revision: number;
  readonly placements: ReadonlyMap<Chunk, Placement>;
  readonly entities: readonly EntitySymbol[];
  readonly byName: ReadonlyMap<string, readonly EntitySymbol[]>;
  readonly groups: ReadonlyMap<string, EntitySymbol>;
  /** The name of some entity is known only when the model runs and may be anything, so nothing may be called missing. */
  readonly dynamic: boolean;
  /** Patterns of such names that are partly known. */
  readonly patterns: readonly RegExp[];
  readonly members: Map<EntitySymbol, EffectiveMembers>;
  /** What scripts make under computed names; computed when it is first asked for. */
  made: ReadonlyMap<string, readonly EntitySymbol[]> | undefined;
  /** The entities that mention the name of a cube or view; computed when uses are first searched for. */
  mentions: ReadonlyMap<string, readonly EntitySymbol[]> | undefined;
}

/**
 * All files of one model: one namespace (docs/model-language.md#files). Derived data is computed once per revision, on demand.
 */
export class ModelIndex {
  /** The common prefix of its files' paths, if known; scripts import by paths relative to it. */
  readonly root: string | undefined;
  #files = new Map<string, ModelFile>();
  /** Whether the files are in the order of their paths. */
  #isSorted = true;
  readonly #renderings = new Map<string, Rendering>();
  readonly #failures = new Map<string, TemplateFailure>();
  readonly #links = new LinkedFiles();
  #revision = 0;
  #structure = 0;
  /** Of a model that was made by replacing files of another one: the other's structure, and which files. */
  #replaced: { readonly structure: number; readonly paths: readonly string[] } | undefined;
  #derived: Derived | undefined;
  #templateGlobals: TemplateNames | undefined;
  #database: string | undefined;

  constructor(root?: string) {
    this.root = root;
  }

  /** Counts every change; results that carry an older revision are out of date. */
  get revision(): number {
    return this.#revision;
  }

  /** Counts the changes that other files can notice, which excludes typing inside SQL or a description. */
  get structure(): number {
    return this.#structure;
  }

  /** The names that Python provides to templates; undefined until they are first read. */
  get templateGlobals(): TemplateNames | undefined {
    return this.#templateGlobals;
  }

  set templateGlobals(names: TemplateNames) {
    this.#templateGlobals = names;
    this.#revision++;
    this.#structure++;
  }

  /** The kind of database that its tables are in, for example `postgres`, if known. */
  get database(): string | undefined {
    return this.#database;
  }

  set database(name: string | undefined) {
    if (name === this.#database) return;
    this.#database = name;
    this.#revision++;
    this.#structure++;
  }

  get size(): number {
    return this.#files.size;
  }

  file(path: string): ModelFile | undefined {
    return this.#files.get(path);
  }

  /** Returns the files in the order of their paths, however they came: which of several definitions is the first depends on it. */
  files(): Iterable<ModelFile> {
    if (!this.#isSorted) this.#files = new Map([...this.#files].sort(([a], [b]) => (a < b ? -1 : 1)));
    this.#isSorted = true;
    return this.#files.values();
  }

  set(file: ModelFile): void {
    if (file === this.#files.get(file.path) || file === this.#links.written(file.path)) return;
    this.#put(file);
    if (file.language === 'script') this.#linkAgain();
  }

  #put(written: ModelFile): void {
    const file = this.#links.link(written, this);
    const before = this.#files.get(file.path);
    this.#files.set(file.path, file);
    if (!before) this.#isSorted = false;
    this.#revision++;
    if (!before || differs(before, file)) this.#structure++;
  }

  /** Links the scripts again whose imports changed; whatever that does to them, their problems may be others. */
  #linkAgain(): void {
    const outdated = [...this.#links.outdated(this)];
    for (const written of outdated) this.#put(written);
    if (outdated.length > 0) this.#structure++;
  }

  /** Returns the rendering of a file's template; undefined if it is unknown, so that only the written text counts. */
  rendering(path: string): Rendering | undefined {
    return this.#renderings.get(path);
  }

  /** Returns why the template of a file cannot be rendered; undefined if it can, if that is unknown, or if the file changed since. */
  templateFailure(file: ModelFile): Problem | undefined {
    const failure = this.#failures.get(file.path);
    return failure?.source.text === file.text ? failure.problem : undefined;
  }

  /** Sets what is known of a template; it holds until it is replaced. */
  setTemplate({ path, rendering, failure }: TemplateResult): void {
    this.#setRendering(path, rendering);
    const before = this.#failures.get(path);
    if (failure) this.#failures.set(path, failure);
    else this.#failures.delete(path);
    if (before?.source !== failure?.source || before?.problem.message !== failure?.problem.message) this.#revision++;
  }

  #setRendering(path: string, rendering: Rendering | undefined): void {
    const before = this.#renderings.get(path);
    if (before === rendering) return;
    if (rendering) this.#renderings.set(path, rendering);
    else this.#renderings.delete(path);
    this.#revision++;
    if (!before || !rendering || before.isOpen !== rendering.isOpen || differs(before.file, rendering.file))
      this.#structure++;
  }

  /**
   * Returns a model of the same revision in which these files replace those with the same paths. `last` is the last one that was made
   * in this way: the structure is the same as its own where nothing differs that other files can notice.
   */
  replacing(files: readonly ModelFile[], last?: ModelIndex): ModelIndex {
    const other = new ModelIndex(this.root);
    for (const file of [...this.#files.values(), ...files]) other.#files.set(file.path, file);
    other.#isSorted = false;
    for (const { path } of this.#files.values()) {
      const written = this.#links.written(path);
      if (written) other.#links.link(written, other);
    }
    for (const [path, rendering] of this.#renderings) other.#renderings.set(path, rendering);
    for (const [path, failure] of this.#failures) other.#failures.set(path, failure);
    other.#templateGlobals = this.#templateGlobals;
    other.#database = this.#database;
    other.#revision = this.#revision;
    other.#replaced = { structure: this.#structure, paths: files.map(({ path }) => path) };
    other.#structure = last ? last.#structure + (other.#differsFrom(last) ? 1 : 0) : this.#structure;
    return other;
  }

  #differsFrom(last: ModelIndex): boolean {
    if (last.#replaced?.structure !== this.#replaced?.structure) return true;
    const paths = new Set([...(last.#replaced?.paths ?? []), ...(this.#replaced?.paths ?? [])]);
    return [...paths].some((path) => {
      const [before, after] = [last.#files.get(path), this.#files.get(path)];
      return before !== after && (!before || !after || differs(before, after));
    });
  }

  delete(path: string): boolean {
    const isGone = this.#files.delete(path);
    this.#renderings.delete(path);
    this.#failures.delete(path);
    this.#links.delete(path);
    if (isGone) {
      this.#revision++;
      this.#structure++;
      this.#linkAgain();
    }
    return isGone;
  }

  /** Returns every cube, view and view group, in the order of files. */
  entities(): readonly EntitySymbol[] {
    return this.#state().entities;
  }

  /** Returns all cubes and views of a name: more than one is a mistake in the model. */
  named(name: string): readonly EntitySymbol[] {
    return this.#state().byName.get(name) ?? [];
  }

  /** Returns the cube or view of a name. */
  entity(name: string): EntitySymbol | undefined {
    return this.#state().byName.get(name)?.[0];
  }

  /** Returns what a script makes under a name that it computes, if that is a single definition. */
  made(name: string): EntitySymbol | undefined {
    const state = this.#state();
    state.made ??= madeIn(state.entities);
    const found = state.made.get(name);
    return found?.length === 1 ? found[0] : undefined;
  }

  viewGroup(name: string): EntitySymbol | undefined {
    return this.#state().groups.get(name);
  }

  /** Whether cubes and views may exist that the files do not show. */
  get dynamic(): boolean {
    const { dynamic, patterns } = this.#state();
    return dynamic || patterns.length > 0;
  }

  /** Checks whether a cube or view of this name may exist that the files do not show. */
  mayHave(name: string): boolean {
    const { dynamic, patterns } = this.#state();
    return dynamic || patterns.some((pattern) => pattern.test(name));
  }

  /** Returns the rendered version of a cube or view in a template; the entity itself if there is none. */
  rendered(entity: EntitySymbol): EntitySymbol {
    const { file, rendering } = this.placement(entity.chunk) ?? {};
    if (!file || rendering || !this.#renderings.has(file.path)) return entity;
    return this.named(entity.name).find(({ chunk }) => this.placement(chunk)?.file === file) ?? entity;
  }

  placement(chunk: Chunk): Placement | undefined {
    return this.#state().placements.get(chunk);
  }

  /** Returns all members of a cube or view: own, inherited, included. */
  membersOf(written: EntitySymbol): EffectiveMembers {
    const { members } = this.#state();
    const entity = this.rendered(written);
    let found = members.get(entity);
    if (!found) {
      found = effectiveMembers(entity, this);
      members.set(entity, found);
    }
    return found;
  }

  member(entity: EntitySymbol, name: string): Effective | undefined {
    return this.membersOf(entity).byName.get(name);
  }

  /** Returns the entities that mention a cube, view or view group by name. */
  mentioning(name: string): readonly EntitySymbol[] {
    const state = this.#state();
    state.mentions ??= mentionsOf(state);
    return state.mentions.get(name) ?? [];
  }

  #state(): Derived {
    if (this.#derived?.revision === this.#revision) return this.#derived;
    const placements = new Map<Chunk, Placement>();
    const entities: EntitySymbol[] = [];
    let dynamic = false;
    for (const file of this.files()) {
      const rendering = this.#renderings.get(file.path);
      // Entities that a template adds may have any name.
      if (rendering ? rendering.isOpen : file.templated) dynamic = true;
      for (const { start, chunk } of file.chunks) placements.set(chunk, { file, start });
      for (const { start, chunk } of rendering?.file.chunks ?? []) placements.set(chunk, { file, start, rendering });
      for (const { chunk } of (rendering?.file ?? file).chunks) append(entities, symbolsOf(chunk));
    }
    this.#derived = {
      revision: this.#revision,
      placements,
      entities,
      ...names(entities, dynamic, () => this.#links.isComplete),
      members: new Map(),
      made: undefined,
      mentions: undefined,
    };
    return this.#derived;
  }
}

/** Checks whether other files can notice the change; chunks that are still the same objects are not compared. */
function differs(before: ModelFile, after: ModelFile): boolean {
  if (before.templated !== after.templated) return true;
  const kept = new Set(before.chunks.map(({ chunk }) => chunk));
  const present = new Set(after.chunks.map(({ chunk }) => chunk));
  const gone = before.chunks.filter(({ chunk }) => !present.has(chunk)).map(({ chunk }) => signatureOf(chunk));
  const fresh = after.chunks.filter(({ chunk }) => !kept.has(chunk)).map(({ chunk }) => signatureOf(chunk));
  return gone.join('\n\n') !== fresh.join('\n\n');
}

function mentionsOf({ entities, byName, groups }: Derived): ReadonlyMap<string, readonly EntitySymbol[]> {
  const mentions = new Map<string, EntitySymbol[]>();
  for (const entity of entities) {
    for (const word of entity.mentions) {
      if (!byName.has(word) && !groups.has(word)) continue;
      const known = mentions.get(word);
      if (known) known.push(entity);
      else mentions.set(word, [entity]);
    }
  }
  return mentions;
}

function madeIn(entities: readonly EntitySymbol[]): ReadonlyMap<string, readonly EntitySymbol[]> {
  const made = new Map<string, EntitySymbol[]>();
  for (const entity of entities) {
    if (!entity.dynamic || !entity.runNames) continue;
    for (const each of entity.expansions) made.set(each.name, [...(made.get(each.name) ?? []), each]);
  }
  return made;
}

type Names = Pick<Derived, 'byName' | 'groups' | 'dynamic' | 'patterns'>;

function names(entities: readonly EntitySymbol[], templated: boolean, isComplete: () => boolean): Names {
  const byName = new Map<string, EntitySymbol[]>();
  const groups = new Map<string, EntitySymbol>();
  const patterns: RegExp[] = [];
  let dynamic = templated;
  for (const entity of entities) {
    const possible = entity.dynamic ? possibleNames(entity, isComplete) : [];
    if (possible) append(patterns, possible);
    else dynamic = true;
    if (entity.kind === 'viewGroup') groups.set(entity.name, entity);
    else {
      const same = byName.get(entity.name);
      if (same) same.push(entity);
      else byName.set(entity.name, [entity]);
    }
  }
  return { byName, groups, dynamic, patterns };
}

/** Returns patterns of the names that an entity may have; undefined if it may have any. */
function possibleNames(entity: EntitySymbol, isComplete: () => boolean): readonly RegExp[] | undefined {
  // What functions make for other files belongs to those.
  if (entity.entity.isForOthers === true) return isComplete() ? [] : undefined;
  if (entity.chunk.kind === 'script') return entity.runNames?.flatMap((name) => namePattern(name) ?? []);
  const pattern = namePattern(entity.name);
  return pattern && [pattern];
}
