import { asError } from '#base/async.ts';
import { Store } from '#base/store.ts';
import type { ReviewLink, ReviewSection } from '#features/review/messages.ts';
import type { OpenPlan } from './plan-view.ts';

/** What sending the ticked files means for those who use the model, and its page. */
export interface Impact {
  readonly summary: string;
  readonly show: () => Promise<void>;
}

interface Checked {
  readonly of: OpenPlan;
  readonly found: Impact | Error | undefined;
}

const check: ReviewLink = { id: 'check impact', label: 'Check Impact' };
const show: ReviewLink = { id: 'show impact', label: 'Show Details' };

/**
 * The impact of an open plan on the users of the model. It reads a whole branch, so it is found out when the user asks for it,
 * and holds for the files that were ticked then.
 */
export class PlanImpact {
  readonly #find: (open: OpenPlan) => Promise<Impact>;
  readonly #checked = new Store<Checked | undefined>(undefined);

  constructor(find: (open: OpenPlan) => Promise<Impact>) {
    this.#find = find;
  }

  /** What is known of it; `undefined` for a pull, which changes nothing on the platform. */
  section(open: OpenPlan): ReviewSection | undefined {
    if (open.direction === 'pull') return undefined;
    const base = { id: 'impact', title: 'Impact', lines: [] } as const;
    const { of, found } = this.#checked.value ?? {};
    if (!of || !isSame(of, open))
      return { ...base, summary: 'not checked for these files', state: 'unknown', link: check };
    if (!found) return { ...base, summary: 'is being checked…', state: 'loading' };
    if (found instanceof Error) return { ...base, summary: found.message, state: 'error', link: check };
    return { ...base, summary: found.summary, state: 'ok', link: show };
  }

  /** Follows one of the links of the section. */
  async run(id: string, open: OpenPlan): Promise<void> {
    const { found } = this.#checked.value ?? {};
    if (id === show.id && found && !(found instanceof Error)) await found.show();
    if (id !== check.id) return;
    this.#checked.set({ of: open, found: undefined });
    let answer: Impact | Error;
    try {
      answer = await this.#find(open);
    } catch (error) {
      answer = asError(error);
    }
    if (this.#checked.value?.of === open) this.#checked.set({ of: open, found: answer });
  }
}

function isSame(one: OpenPlan, other: OpenPlan): boolean {
  return one.plan === other.plan && one.ticked === other.ticked;
}
