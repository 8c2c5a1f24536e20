import { asError } from '#base/async.ts';
import type { Disposable } from '#base/disposable.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import { type MeaningLine, type ModelMeaning, modelSection } from '#features/review/model-meaning.ts';
import type { ReviewSection } from '#features/review/messages.ts';
import type { PlanEntry } from '#sync/core/plan.ts';
import { planSelection } from './plan-selection.ts';
import type { OpenPlan } from './plan-view.ts';

/** Texts of a model by path. */
type Texts = ReadonlyMap<string, string>;

/** Both texts of a change, by the paths that they have on their side. */
export interface EntryTexts {
  readonly before: readonly [path: string, text: string] | undefined;
  readonly after: readonly [path: string, text: string] | undefined;
}

/** What the meaning of a plan is made of. */
export interface PlanMeaningPorts {
  /** Both texts of a change of the open plan. Rejects where one of them cannot be read. */
  readonly texts: (open: OpenPlan, entry: PlanEntry) => Promise<EntryTexts>;
  /** The files of the folder that the plan does not name: they are the same on both sides. */
  readonly others: (open: OpenPlan) => Promise<Texts>;
  /** What replacing the former texts by the later ones changes of the model; `others` is called where more must be read. */
  readonly compare: (before: Texts, after: Texts, others: () => Promise<Texts>) => Promise<ModelMeaning>;
}

interface Found {
  readonly of: OpenPlan;
  readonly meaning: ModelMeaning | Error;
}

/** So many files are read at the same time. */
const atOnce = 8;

/**
 * What the ticked files of the open plan change of the model. It follows the ticks, one comparison at a time, and is read in the
 * background: the page never waits for it.
 */
export class PlanMeaning implements Disposable {
  readonly #open: ReadonlyStore<OpenPlan | undefined>;
  readonly #ports: PlanMeaningPorts;
  readonly #found = new Store<Found | undefined>(undefined);
  readonly #following: Disposable;
  /** By everything that makes a change another one; texts are read once. */
  readonly #texts = new Map<string, Promise<EntryTexts>>();
  #isRunning = false;
  #isOver = false;

  constructor(open: ReadonlyStore<OpenPlan | undefined>, ports: PlanMeaningPorts) {
    this.#open = open;
    this.#ports = ports;
    this.#following = open.onDidChange(() => void this.#run());
    void this.#run();
  }

  /** The section of the page; none before there is a plan. */
  section(open: OpenPlan): ReviewSection | undefined {
    if (!open.plan) return undefined;
    const found = this.#found.value;
    return modelSection(found && isSame(found.of, open) ? found.meaning : 'loading');
  }

  dispose(): void {
    this.#isOver = true;
    this.#following.dispose();
  }

  /** Compares what is ticked now, and again as long as that changes meanwhile. */
  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (;;) {
      const open = this.#open.value;
      const known = this.#found.value;
      if (this.#isOver || !open?.plan || (known && isSame(known.of, open))) break;
      const meaning = await this.#meaningOf(open).catch(asError);
      this.#found.set({ of: open, meaning });
    }
    this.#isRunning = false;
  }

  async #meaningOf(open: OpenPlan): Promise<ModelMeaning> {
    const entries = entriesOf(open);
    const unread: MeaningLine[] = [];
    const before = new Map<string, string>();
    const after = new Map<string, string>();
    for (let first = 0; first < entries.ticked.length && !this.#isOver; first += atOnce) {
      const some = entries.ticked.slice(first, first + atOnce);
      const read = await Promise.allSettled(some.map(async (entry) => this.#textsOf(open, entry)));
      for (const [at, result] of read.entries()) {
        if (result.status === 'fulfilled') {
          if (result.value.before) before.set(...result.value.before);
          if (result.value.after) after.set(...result.value.after);
        } else unread.push(unreadLine(some[at]?.path ?? '', asError(result.reason)));
      }
    }
    const meaning = await this.#ports.compare(before, after, async () => this.#othersOf(open, entries.unticked));
    if (unread.length === 0) return meaning;
    return { summary: `${meaning.summary} (not all files could be read)`, lines: [...unread, ...meaning.lines] };
  }

  /** What is not ticked stays as it is where the step goes to. */
  async #othersOf(open: OpenPlan, unticked: readonly PlanEntry[]): Promise<Texts> {
    const others = new Map(await this.#ports.others(open));
    const kept = await Promise.allSettled(unticked.map(async (entry) => this.#textsOf(open, entry)));
    for (const result of kept)
      if (result.status === 'fulfilled' && result.value.before) others.set(...result.value.before);
    return others;
  }

  #textsOf(open: OpenPlan, entry: PlanEntry): Promise<EntryTexts> {
    const key = `${open.session.target.branchName} ${open.direction} ${JSON.stringify(entry)}`;
    const known = this.#texts.get(key);
    if (known) return known;
    const reading = this.#ports.texts(open, entry);
    this.#texts.set(key, reading);
    // What could not be read now may be read the next time.
    reading.catch(() => this.#texts.delete(key));
    return reading;
  }
}

function entriesOf({ plan, direction, ticked }: OpenPlan): Record<'ticked' | 'unticked', readonly PlanEntry[]> {
  const moving = plan ? planSelection(plan, direction) : new Set<string>();
  const all = plan?.entries.filter(({ path }) => moving.has(path)) ?? [];
  return {
    ticked: all.filter(({ path }) => ticked.has(path)),
    unticked: all.filter(({ path }) => !ticked.has(path)),
  };
}

function unreadLine(path: string, { message }: Error): MeaningLine {
  return { severity: 'warning', text: `${path} could not be read: ${message}` };
}

function isSame(one: OpenPlan, other: OpenPlan): boolean {
  return one.session === other.session && one.plan === other.plan && one.ticked === other.ticked;
}
