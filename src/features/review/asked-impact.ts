import { asError } from '#base/async.ts';
import { Store } from '#base/store.ts';
import type { Event } from '#base/event.ts';
import type { ReviewLink, ReviewSection } from './messages.ts';

/** What sending the ticked files means for those who use the model, and its page. */
export interface Impact {
  readonly summary: string;
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

const check: ReviewLink = { id: 'check impact', label: 'Check Impact' };
const show: ReviewLink = { id: 'show impact', label: 'Show Details' };

/**
 * The impact of a step on the users of the model. It reads a whole branch, so it is found out when the user asks for it, and holds
 * for the files that were ticked then.
 */
export class AskedImpact<Step> {
  readonly #ports: ImpactPorts<Step>;
  readonly #checked = new Store<Checked<Step> | undefined>(undefined);

  constructor(ports: ImpactPorts<Step>) {
    this.#ports = ports;
  }

  /** Something more is known. */
  get onDidFind(): Event<unknown> {
    return this.#checked.onDidChange;
  }

  /** What is known of it. */
  section(step: Step): ReviewSection {
    const base = { id: 'impact', title: 'Impact', lines: [] } as const;
    const checked = this.#checked.value;
    if (!checked || !this.#ports.isSame(checked.of, step))
      return { ...base, summary: 'not checked for these files', state: 'unknown', link: check };
    const { found } = checked;
    if (!found) return { ...base, summary: 'is being checked…', state: 'loading' };
    if (found instanceof Error) return { ...base, summary: found.message, state: 'error', link: check };
    return { ...base, summary: found.summary, state: 'ok', link: show };
  }

  /** Follows one of the links of the section. */
  async run(id: string, step: Step): Promise<void> {
    const { found } = this.#checked.value ?? {};
    if (id === show.id && found && !(found instanceof Error)) await found.show();
    if (id !== check.id) return;
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
