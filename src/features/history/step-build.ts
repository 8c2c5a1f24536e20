import { Emitter, type Event } from '#base/event.ts';
import { unreachable } from '#base/result.ts';
import {
  type BuildCheck,
  checkedQuestion,
  type GatedSituation,
  type GateQuestion,
  uncheckedText,
  unprovenBuildText,
} from '#features/platform/index.ts';
import type { ReviewSection } from '#features/review/messages.ts';

const skipLink = { id: 'skip check', label: 'Continue Without the Check' } as const;
const againLink = { id: 'check again', label: 'Check Again' } as const;

/**
 * The build on the page of a step. The platform compiles the files while the page is open: a step that reaches production waits
 * for the verdict, unless the user continues without it by typing the deployment's name. Other steps do not wait.
 */
export class StepBuild {
  readonly #check: BuildCheck | undefined;
  readonly #ended = new AbortController();
  readonly #changed = new Emitter<void>();
  readonly #first: GateQuestion;
  #question: GateQuestion;
  #isChecking = false;
  #isSkipped = false;

  constructor(question: GateQuestion, check: BuildCheck | undefined) {
    this.#first = question;
    this.#question = question;
    this.#check = check;
    void this.#run();
  }

  /** Fires when the question or the section has changed. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** The question with what is known of the build now: what the user confirms. */
  get question(): GateQuestion {
    return this.#question;
  }

  /** Why the step cannot be confirmed yet; empty if it can. */
  get whyNot(): string {
    const { from, isDeploy } = this.#question.situation;
    return this.#isChecking && !this.#isSkipped && isDeploy !== false ? checkingText(from) : '';
  }

  get section(): ReviewSection {
    const { situation } = this.#question;
    const known = buildSection(situation);
    if (this.#isChecking) {
      const section = { ...known, summary: checkingText(situation.from), state: 'loading' as const };
      return this.whyNot === '' ? section : { ...section, link: skipLink };
    }
    return situation.build === 'unchecked' && this.#check ? { ...known, link: againLink } : known;
  }

  /** Runs a link of the section. */
  async run(id: string): Promise<void> {
    if (id === againLink.id) await this.#run();
    if (id !== skipLink.id) return;
    this.#isSkipped = true;
    this.#changed.fire();
  }

  /** Ends the check. */
  end(): void {
    this.#ended.abort();
    this.#changed.dispose();
  }

  async #run(): Promise<void> {
    const check = this.#check;
    if (!check || this.#isChecking) return;
    this.#isChecking = true;
    this.#changed.fire();
    const { signal } = this.#ended;
    const found = await check(signal);
    if (signal.aborted) return;
    this.#isChecking = false;
    this.#question = checkedQuestion(this.#first, found);
    this.#changed.fire();
  }
}

function checkingText(branch: string): string {
  return `Checking whether the files of ${branch} compile…`;
}

function buildSection({ from, build, buildError }: GatedSituation): ReviewSection {
  const section = { id: 'build', title: 'Build', lines: [] };
  switch (build) {
    case 'built':
      return { ...section, summary: `The files of ${from} compile.`, state: 'ok' };
    case 'unproven':
      return { ...section, summary: `${unprovenBuildText(from)}.`, state: 'unknown' };
    case 'unchecked':
      return { ...section, summary: `${uncheckedText(from)}.`, state: 'unknown' };
    case 'failed': {
      const lines = buildError === undefined ? [] : [{ severity: 'error' as const, text: buildError }];
      return { ...section, summary: `The build of ${from} failed.`, state: 'error', lines };
    }
    case 'building':
      return { ...section, summary: `${from} is still building.`, state: 'warning' };
    case 'unknown':
      return { ...section, summary: `The build state of ${from} is not known.`, state: 'unknown' };
    default:
      return unreachable(build);
  }
}
