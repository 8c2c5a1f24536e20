import type { Disposable } from '#base/disposable.ts';
import type { ReadonlyStore } from '#base/store.ts';
import {
  type CompareModels,
  filesModelDiff,
  type FileTexts,
  LiveModelDiff,
  type ModelDiff,
  type ModelTexts,
} from '#features/review/index.ts';
import type { ReviewSection } from '#features/review/messages.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import { planSelection } from './plan-selection.ts';
import type { OpenPlan } from './plan-view.ts';

/** The dependencies of {@link PlanModelDiff}. */
export interface PlanModelDiffPorts {
  /** Resolves to both texts of a change of the open plan. Rejects if one of them cannot be read. */
  readonly texts: (open: OpenPlan, entry: PlanEntry) => Promise<FileTexts>;
  /** Resolves to the files of the folder that the plan does not name: they are the same on both sides. */
  readonly others: (open: OpenPlan) => Promise<ModelTexts>;
  readonly compare: CompareModels;
}

/** What the ticked files of the open plan change in the model. */
export class PlanModelDiff implements Disposable {
  readonly #ports: PlanModelDiffPorts;
  readonly #followed: LiveModelDiff<OpenPlan>;
  /** By everything that distinguishes a change from another; texts are read once. */
  readonly #texts = new Map<string, Promise<FileTexts>>();

  constructor(open: ReadonlyStore<OpenPlan | undefined>, ports: PlanModelDiffPorts) {
    this.#ports = ports;
    this.#followed = new LiveModelDiff(open, {
      isSame,
      isReady: (shown) => shown.plan !== undefined,
      find: async (shown, isOver) => this.#diffOf(shown, isOver),
    });
  }

  /** Returns the section of the page; `undefined` before there is a plan. */
  section(open: OpenPlan): ReviewSection | undefined {
    return open.plan && this.#followed.section(open);
  }

  dispose(): void {
    this.#followed.dispose();
  }

  async #diffOf(open: OpenPlan, isOver: () => boolean): Promise<ModelDiff> {
    return filesModelDiff(entriesOf(open), {
      pathOf: ({ path }) => path,
      texts: async (entry) => this.#textsOf(open, entry),
      others: async () => this.#ports.others(open),
      compare: this.#ports.compare,
      isOver,
    });
  }

  #textsOf(open: OpenPlan, entry: PlanEntry): Promise<FileTexts> {
    const key = `${open.session.target.branchName} ${open.direction} ${JSON.stringify(entry)}`;
    const known = this.#texts.get(key);
    if (known) return known;
    const reading = this.#ports.texts(open, entry);
    this.#texts.set(key, reading);
    // A failure is not cached, so the next comparison reads again.
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

function isSame(one: OpenPlan, other: OpenPlan): boolean {
  return one.session === other.session && one.plan === other.plan && one.ticked === other.ticked;
}
