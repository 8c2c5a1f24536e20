import { asError } from '#base/async.ts';
import { Store } from '#base/store.ts';
import type { Event } from '#base/event.ts';
import type { ReviewLink, ReviewSection } from './messages.ts';
import type { ModelDiffLine } from './model-diff.ts';

/** The impact of a step's ticked files on users of the model, and its page. */
export interface Impact {
  readonly summary: string;
  /** Lines below the summary; a warning marks the section. */
  readonly lines?: readonly ModelDiffLine[];
  readonly show: () => Promise<void>;
}

interface ImpactPorts<Step> {
  /** Whether two steps have the same impact. */
  readonly isSame: (one: Step, other: Step) => boolean;
  /** Rejects with the reason to show. */
  readonly find: (step: Step) => Promise<Impact>;
}

interface Checked<Step> {
  readonly of: Step;
  readonly found: Impact | Error | undefined;
}

/** The texts of a section whose content is determined on request. */
export interface AskedTexts {
  readonly id: string;
  readonly title: string;
  /** Shown until the user asks. */
  readonly unknown: string;
  readonly loading: string;
  /** The link that asks. */
  readonly check: string;
}

const impactTexts: AskedTexts = {
  id: 'impact',
  title: 'Impact',
  unknown: 'not checked for these files',
  loading: 'is being checked…',
  check: 'Check Impact',
};

/**
 * The impact of a step on the users of the model. It reads a whole branch, so it runs only on request, and it applies to the
 * files that were ticked then.
 */
export class AskedImpact<Step> {
  readonly #ports: ImpactPorts<Step>;
  readonly #texts: AskedTexts;
  readonly #checked = new Store<Checked<Step> | undefined>(undefined);

  constructor(ports: ImpactPorts<Step>, texts = impactTexts) {
    this.#ports = ports;
    this.#texts = texts;
  }

  get #check(): ReviewLink {
    return { id: `check ${this.#texts.id}`, label: this.#texts.check };
  }

  get #show(): ReviewLink {
    return { id: `show ${this.#texts.id}`, label: 'Show Details' };
  }

  /** Fires when the section changes. */
  get onDidFind(): Event<unknown> {
    return this.#checked.onDidChange;
  }

  /** Returns the section for a step. */
  section(step: Step): ReviewSection {
    const { id, title, unknown, loading } = this.#texts;
    const base = { id, title, lines: [] } as const;
    const link = this.#check;
    const checked = this.#checked.value;
    if (!checked || !this.#ports.isSame(checked.of, step)) return { ...base, summary: unknown, state: 'unknown', link };
    const { found } = checked;
    if (!found) return { ...base, summary: loading, state: 'loading' };
    if (found instanceof Error) return { ...base, summary: found.message, state: 'error', link };
    const { summary, lines = [] } = found;
    const state = lines.some(({ severity }) => severity === 'warning') ? 'warning' : 'ok';
    return { ...base, summary, state, lines: [...lines], link: this.#show };
  }

  /** Runs one of the links of the section. */
  async run(id: string, step: Step): Promise<void> {
    const { found } = this.#checked.value ?? {};
    if (id === this.#show.id && found && !(found instanceof Error)) await found.show();
    if (id !== this.#check.id) return;
    this.#checked.set({ of: step, found: undefined });
    let answer: Impact | Error;
    try {
      answer = await this.#ports.find(step);
    } catch (error) {
      answer = asError(error);
    }
    if (this.#checked.value?.of === step) this.#checked.set({ of: step, found: answer });
  }
}
