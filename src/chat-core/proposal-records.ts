import * as v from 'valibot';
import { Sequencer } from '#base/async.ts';
import { parsedJson } from '#base/json.ts';
import type { ChatFiles } from './ports.ts';
import { proposalFiles } from './proposal-files.ts';

/** The maximum number of texts stored for a thread; beyond it, only {@link LEFT} texts of the newest turns remain. */
const MOST = 400;
const LEFT = 300;

/** The versions of a file that the agent may have seen; `null`: there was no such file. */
type Versions = readonly (string | null)[];

/** The decision about a proposed file. Texts are identified by their hashes. */
export type ProposalDecision =
  | { readonly state: 'rejected' }
  | {
      readonly state: 'accepted' | 'partly';
      /** One step for each time that something was accepted, in order. `before`: `null` if there was no file. */
      readonly steps: readonly AcceptedStep[];
    };

export interface AcceptedStep {
  readonly before: string | null;
  readonly after: string;
}

interface TurnRecord {
  readonly versions: Readonly<Record<string, Versions>>;
  readonly decisions: Readonly<Record<string, ProposalDecision>>;
  /** The folder in which files were accepted. */
  readonly folder?: string | undefined;
}

/** The model at the time when a question was sent. */
export interface ModelWhenAsked {
  /** Texts by path: the files of the folder, and the branch's versions that differ from them. */
  readonly local: ReadonlyMap<string, string>;
  readonly branch: ReadonlyMap<string, string>;
  /** Whether `local` contains every file. */
  readonly isComplete: boolean;
}

/**
 * Stores the versions that a thread's proposals are based on and the decisions about them, so that neither a reload nor another
 * window reopens a decided proposal. Texts are stored once per hash; beyond some hundreds, the oldest are deleted.
 */
export class ProposalRecords {
  readonly #files: ChatFiles;
  readonly #thread: string;
  readonly #hash: (text: string) => string;
  readonly #work = new Sequencer();

  constructor(files: ChatFiles, thread: string, hash: (text: string) => string) {
    this.#files = files;
    this.#thread = thread;
    this.#hash = hash;
  }

  hash(text: string): string {
    return this.#hash(text);
  }

  /** Stores the model when a question is sent, until the files that the answer is about are known. */
  async begin(turn: string, { local, branch, isComplete }: ModelWhenAsked): Promise<void> {
    const snapshot = { local: Object.fromEntries(local), branch: Object.fromEntries(branch), isComplete };
    await this.#files.replace(this.#snapshotOf(turn), JSON.stringify(snapshot));
  }

  /** Reduces the stored model to the files that the answer is about. */
  keepFiles(turn: string, paths: readonly string[]): Promise<void> {
    return this.#work.queue(async () => {
      const name = this.#snapshotOf(turn);
      const snapshot = v.safeParse(SnapshotSchema, parsedJson(await this.#files.read(name)));
      if (!snapshot.success) return;
      const { local, branch, isComplete } = snapshot.output;
      const versions: Record<string, Versions> = {};
      for (const path of paths) {
        const mine = own(local, path);
        if (mine === undefined && !isComplete) continue;
        const theirs = own(branch, path);
        const texts = theirs === undefined || theirs === mine ? [mine] : [mine, theirs];
        versions[path] = await Promise.all(texts.map(async (text) => (text === undefined ? null : this.keep(text))));
      }
      if (paths.length > 0)
        await this.#update(turn, (record) => ({ ...record, versions: { ...record.versions, ...versions } }));
      await this.#files.remove(name);
    });
  }

  /** Resolves to the texts that the proposal for a file may be based on; `undefined` if they are unknown. */
  async versions(turn: string, path: string): Promise<readonly (string | undefined)[] | undefined> {
    const { turns } = await this.#read();
    const known = own(own(turns, turn)?.versions, path);
    if (!known) return undefined;
    const texts = await Promise.all(
      known.map(async (hash) => (hash === null ? undefined : ((await this.text(hash)) ?? null))),
    );
    const found = texts.filter((text) => text !== null);
    return found.length === 0 ? undefined : found;
  }

  async decision(turn: string, path: string): Promise<ProposalDecision | undefined> {
    const { turns } = await this.#read();
    return own(own(turns, turn)?.decisions, path);
  }

  /** Stores a decision; without one the proposal is open again. */
  decide(turn: string, path: string, decision: ProposalDecision | undefined): Promise<void> {
    return this.#work.queue(() =>
      this.#update(turn, (record) => {
        const { [path]: _, ...others } = record.decisions;
        return { ...record, decisions: decision ? { ...others, [path]: decision } : others };
      }),
    );
  }

  /** Resolves to the folder in which files of a turn were accepted. */
  async folder(turn: string): Promise<string | undefined> {
    return own((await this.#read()).turns, turn)?.folder;
  }

  /** Stores the folder in which files of a turn are accepted: its decisions are about the files of that folder. */
  accept(turn: string, folder: string): Promise<void> {
    return this.#work.queue(() => this.#update(turn, (record) => ({ ...record, folder })));
  }

  /** Stores a text; resolves to its hash. */
  async keep(text: string): Promise<string> {
    const hash = this.#hash(text);
    const name = this.#textOf(hash);
    if ((await this.#files.read(name)) === undefined) await this.#files.replace(name, text);
    return hash;
  }

  /** Resolves to a stored text; `undefined` if it is damaged or no longer stored. */
  async text(hash: string): Promise<string | undefined> {
    const text = await this.#files.read(this.#textOf(hash));
    return text !== undefined && this.#hash(text) === hash ? text : undefined;
  }

  async #read(): Promise<v.InferOutput<typeof RecordsSchema>> {
    const read = v.safeParse(RecordsSchema, parsedJson(await this.#files.read(this.#name)));
    return read.success ? read.output : { turns: {} };
  }

  /** Reads again before each write: another window may have decided meanwhile. */
  async #update(turn: string, change: (record: TurnRecord) => TurnRecord): Promise<void> {
    const { turns } = await this.#read();
    const changed = { ...turns, [turn]: change(own(turns, turn) ?? { versions: {}, decisions: {} }) };
    await this.#files.replace(this.#name, JSON.stringify({ turns: changed }));
    await this.#prune(changed);
  }

  /** Deletes texts of the oldest turns. Decisions remain, but can no longer be undone. */
  async #prune(turns: Readonly<Record<string, TurnRecord>>): Promise<void> {
    const prefix = this.#textOf('').replace(/\.txt$/, '');
    const names = (await this.#files.names()).filter((name) => name.startsWith(prefix));
    if (names.length <= MOST) return;
    const newestFirst = Object.entries(turns).sort(([a], [b]) => b.localeCompare(a, 'en', { numeric: true }));
    const used = new Set(newestFirst.flatMap(([, record]) => hashesOf(record)));
    const kept = new Set([...used].slice(0, LEFT).map((hash) => this.#textOf(hash)));
    for (const name of names) if (!kept.has(name)) await this.#files.remove(name);
  }

  get #name(): string {
    return `${proposalFiles(this.#thread)}.json`;
  }

  #snapshotOf(turn: string): string {
    return `${proposalFiles(this.#thread)}-model-${turn.replaceAll(/[^\w-]/g, '_')}.json`;
  }

  #textOf(hash: string): string {
    return `${proposalFiles(this.#thread)}-text-${hash}.txt`;
  }
}

function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}

function hashesOf({ versions, decisions }: TurnRecord): readonly string[] {
  const steps = Object.values(decisions).flatMap((decision) => (decision.state === 'rejected' ? [] : decision.steps));
  const all = [...steps.flatMap(({ before, after }) => [before, after]), ...Object.values(versions).flat()];
  return all.filter((hash) => hash !== null);
}

const Hash = v.pipe(v.string(), v.regex(/^[\da-f]+$/));
const DecisionSchema = v.variant('state', [
  v.object({ state: v.literal('rejected') }),
  v.object({
    state: v.picklist(['accepted', 'partly']),
    steps: v.array(v.object({ before: v.nullable(Hash), after: Hash })),
  }),
]);
const RecordsSchema = v.object({
  turns: v.record(
    v.string(),
    v.object({
      versions: v.record(v.string(), v.array(v.nullable(Hash))),
      decisions: v.record(v.string(), DecisionSchema),
      folder: v.optional(v.string()),
    }),
  ),
});
const SnapshotSchema = v.object({
  local: v.record(v.string(), v.string()),
  branch: v.record(v.string(), v.string()),
  isComplete: v.boolean(),
});
