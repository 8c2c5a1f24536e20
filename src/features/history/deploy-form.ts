import { type ReadonlyStore, Store } from '#base/store.ts';
import type { PlanForm } from '#features/folders/index.ts';
import type { GateQuestion } from '#features/platform/index.ts';
import type { ReviewInput } from '#features/review/messages.ts';
import { changedWarning, confirmationFields } from './step-review.ts';

/** The fields of a deploy's page, and whether the user's input answers the question of the production gate. */
export class DeployForm {
  readonly #fields: Store<PlanForm>;
  #shown: GateQuestion;

  /** `message`: the initial message of the upload's commit. */
  constructor(question: GateQuestion, message: string) {
    this.#shown = question;
    this.#fields = new Store<PlanForm>({
      message: { label: 'Message', value: message, placeholder: 'Leave empty for the platform’s default' },
      ...confirmationFields(question),
    });
  }

  get fields(): ReadonlyStore<PlanForm> {
    return this.#fields;
  }

  /** Whether the page showed this question and the user answered it there; otherwise the page shows the question from now on. */
  answers(question: GateQuestion, { typed }: Pick<ReviewInput, 'typed'>): boolean {
    const known = new Set(this.#shown.warnings.map(({ kind }) => kind));
    const isShown = question.typed === this.#shown.typed && question.warnings.every(({ kind }) => known.has(kind));
    if (isShown) return question.typed === undefined || typed.trim() === question.typed;
    this.#shown = question;
    const { warnings, ...confirmation } = confirmationFields(question);
    const { message } = this.#fields.value;
    const fields = { ...confirmation, warnings: [changedWarning, ...warnings] };
    this.#fields.set(message ? { ...fields, message } : fields);
    return false;
  }
}
