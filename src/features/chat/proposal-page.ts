import type { Event } from '#base/event.ts';
import { DisposableStore } from '#base/disposable.ts';
import { isEqual } from '#base/equal.ts';
import { Store } from '#base/store.ts';
import type { NotAccepted, ProposalReview, ProposedChange } from '#chat-core/proposal-review.ts';
import {
  AskedImpact,
  filesModelDiff,
  LiveModelDiff,
  type Impact,
  type ModelComparison,
  type ModelDiff,
  type ModelTexts,
  type ReviewSource,
} from '#features/review/index.ts';
import type { ReviewDocument } from '#features/review/messages.ts';
import { Hint } from '#shell/user-error.ts';
import { canTick, type OpenProposal, proposalDocument } from './proposal-rows.ts';

/** The ports that explain changes of the model. */
export interface ProposalEffects {
  readonly model: ModelComparison;
  /** Resolves to the models of the linked folder. */
  readonly models: () => Promise<ModelTexts>;
  /** Resolves to the effect on users if these texts replaced those of the active branch. */
  readonly impact: (texts: ModelTexts) => Promise<Impact>;
}

/** The editors in which a file of the page opens. */
export interface ProposalPageEditors {
  readonly diff: (paths: readonly string[]) => Promise<unknown>;
  /** Opens the text of a file that cannot be written. */
  readonly draft: (path: string) => Promise<unknown>;
  /** Opens the merge editor on a file in which the user has changed the same lines. */
  readonly merge: (path: string) => Promise<unknown>;
}

/** The page, without the account whose agent proposes its files. */
type PagedProposal = Omit<ReviewSource, 'accountId'>;

/** The data and actions of the page of proposed files. */
export interface ProposalPagePorts {
  readonly review: Pick<ProposalReview, 'items' | 'unseenChanges' | 'seen'>;
  /** The files on the page. */
  readonly paths: readonly string[];
  /** The name of the folder with the files, if the window has several. */
  readonly folder?: string | undefined;
  readonly effects: ProposalEffects;
  /** A file or a decision has changed. */
  readonly onDidChange: Event<void>;
  readonly editors: ProposalPageEditors;
  /** Has the engine check files together; its verdict is then in the items. */
  readonly check: (paths: readonly string[]) => Promise<unknown>;
  /** Resolves to `undefined` if nothing may be written now. */
  readonly accept: (paths: readonly string[]) => Promise<NotAccepted | undefined>;
}

/** The change that accepting the ticked files would make. */
interface Step {
  readonly changes: readonly ProposedChange[];
  readonly ticked: ReadonlySet<string>;
}

/**
 * Resolves to the page on which a user reviews the files that an answer proposes and accepts the ticked ones. `undefined`: none
 * of them is open.
 */
export async function proposalPage(ports: ProposalPagePorts): Promise<PagedProposal | undefined> {
  const page = new ProposalPage(ports);
  await page.refresh();
  if (!page.document.value) return undefined;
  page.countAsSeen();
  return page.source();
}

class ProposalPage {
  readonly document = new Store<ReviewDocument | undefined>(undefined);
  readonly #ports: ProposalPagePorts;
  readonly #store = new DisposableStore();
  readonly #step = new Store<Step | undefined>(undefined);
  readonly #modelDiff: LiveModelDiff<Step>;
  readonly #impact: AskedImpact<Step>;
  readonly #unticked = new Set<string>();
  #read: OpenProposal = { items: [], changes: [] };
  /** The number of refreshes so far, and the one that is shown. */
  #begun = 0;
  #shown = 0;

  constructor(ports: ProposalPagePorts) {
    this.#ports = ports;
    const isSame = (one: Step, other: Step): boolean => one === other;
    const find = async (step: Step, isOver: () => boolean): Promise<ModelDiff> =>
      modelDiffOf(step, ports.effects, isOver);
    this.#modelDiff = this.#store.add(new LiveModelDiff(this.#step, { isSame, find }));
    this.#impact = new AskedImpact<Step>({ isSame, find: async (step) => ports.effects.impact(laterTexts(step)) });
    this.#store.add(this.#modelDiff.onDidFind(() => this.#draw()));
    this.#store.add(this.#impact.onDidFind(() => this.#draw()));
    // After a failure, the next change tries again.
    this.#store.add(ports.onDidChange(() => void this.refresh().catch(() => undefined)));
  }

  source(): PagedProposal {
    const { diff, draft, merge } = this.#ports.editors;
    return {
      key: 'proposal',
      document: this.document,
      tick: (ids, isTicked) => this.#tick(ids, isTicked),
      texts: async (path) => {
        const change = this.#read.changes.find((each) => each.path === path);
        if (!change) return { before: undefined, after: undefined, note: 'This file is not changed.' };
        const { before, after } = change;
        return { before, after, changes: await this.#ports.effects.model.ofFile(path, before, after) };
      },
      diff: async (path) => {
        const rows = this.document.value?.groups.flatMap((group) => group.rows) ?? [];
        const kind = rows.find((row) => row.path === path)?.kind;
        if (kind === 'conflict') await merge(path);
        else if (kind === 'none') await draft(path);
        else await diff([path]);
      },
      diffAll: async () => diff([...this.#ticked]),
      run: async (id) => {
        const step = this.#step.value;
        if (step) await this.#impact.run(id, step);
      },
      apply: async () => this.#apply(),
      close: () => this.#store.dispose(),
    };
  }

  /**
   * Marks the content of the page as seen. Done when it opens and when the user applies it, not on each refresh: the page may
   * then be behind another editor.
   */
  countAsSeen(): void {
    this.#ports.review.seen(this.#read.changes);
  }

  /** Reads what is open now. A refresh that ends after a newer one is outdated. */
  async refresh(): Promise<void> {
    this.#begun += 1;
    const reading = this.#begun;
    const { review, paths } = this.#ports;
    const items = (await review.items()).filter(({ path }) => paths.includes(path));
    const open = items.filter(({ state, canAccept }) => canAccept && (state === 'open' || state === 'partly'));
    const changes = await review.unseenChanges(open.map(({ path }) => path));
    if (reading < this.#shown || this.#store.isDisposed) return;
    this.#shown = reading;
    const isSame = isEqual(changes, this.#read.changes);
    this.#read = { items, changes: isSame ? this.#read.changes : changes };
    if (open.length > 0) this.#follow();
    else {
      this.#step.set(undefined);
      this.document.set(undefined);
    }
  }

  #tick(ids: readonly string[], isTicked: boolean): void {
    for (const id of ids) {
      if (isTicked) this.#unticked.delete(id);
      else this.#unticked.add(id);
    }
    this.#follow();
  }

  /** Accepts the ticked files; resolves to whether all of them are written. */
  async #apply(): Promise<boolean> {
    const chosen = this.#ticked;
    this.countAsSeen();
    const left = await this.#ports.accept([...chosen]);
    if (!left) return false;
    await this.refresh();
    if (left.unseen.length > 0) throw new Hint('Files changed since you reviewed them. Review them again.');
    return ![...this.#ticked].some((path) => chosen.has(path));
  }

  /** Draws the page for the current ticks, and has the change checked if it differs from the previous one. */
  #follow(): void {
    const { items, changes } = this.#read;
    const ticked = new Set(items.filter(canTick).flatMap(({ path }) => (this.#unticked.has(path) ? [] : [path])));
    const before = this.#step.value;
    const isSame = before?.changes === changes && isEqual([...before.ticked], [...ticked]);
    if (!isSame) this.#step.set({ changes, ticked });
    this.#draw();
    // The verdict is in the items at the next refresh.
    if (!isSame && ticked.size > 0) this.#ports.check([...ticked]).catch(() => undefined);
  }

  #draw(): void {
    const step = this.#step.value;
    if (!step || this.#read.changes.length === 0) return;
    const sections = [this.#modelDiff.section(step), this.#impact.section(step)];
    const drawn = proposalDocument({ ...this.#read, folder: this.#ports.folder }, step.ticked, sections);
    const groups = this.document.value?.groups;
    this.document.set(groups && isEqual(groups, drawn.groups) ? { ...drawn, groups } : drawn);
  }

  /** Paths that accepting would write now. */
  get #ticked(): ReadonlySet<string> {
    return this.#step.value?.ticked ?? new Set();
  }
}

async function modelDiffOf(
  { changes, ticked }: Step,
  { model, models }: ProposalEffects,
  isOver: () => boolean,
): Promise<ModelDiff> {
  const rows = {
    ticked: changes.filter(({ path }) => ticked.has(path)),
    unticked: changes.filter(({ path }) => !ticked.has(path)),
  };
  return filesModelDiff(rows, {
    pathOf: ({ path }) => path,
    texts: async ({ path, before, after }) =>
      Promise.resolve({ before: before === undefined ? undefined : [path, before], after: [path, after] }),
    others: async () => {
      const all = new Map(await models());
      for (const { path } of changes) all.delete(path);
      return all;
    },
    compare: model.ofFiles,
    isOver,
  });
}

function laterTexts({ changes, ticked }: Step): ModelTexts {
  return new Map(changes.flatMap(({ path, after }) => (ticked.has(path) ? [[path, after] as const] : [])));
}
