import { Store } from '#base/store.ts';
import { plural } from '#base/words.ts';
import { baseName } from '#base/path.ts';
import {
  type BuildCheck,
  type ContentDifference,
  type GatedSituation,
  type GateQuestion,
  type GateWarning,
} from '#features/platform/index.ts';
import type { ReviewDocument, ReviewInput, ReviewRow, ReviewSection } from '#features/review/messages.ts';
import {
  AskedImpact,
  type Impact,
  type ModelDiffLine,
  type ModelDiff,
  modelSection,
  type ReviewSource,
  type RowTexts,
} from '#features/review/index.ts';
import { Hint } from '#shell/user-error.ts';
import { StepBuild } from './step-build.ts';

/** The fields of a step's page. */
export interface StepForm {
  readonly message?:
    | {
        readonly value: string;
        readonly placeholder: string;
        readonly isRequired: boolean;
        /** Stores the message as it is typed: a draft that outlives the page. */
        readonly keep?: (message: string) => void;
      }
    | undefined;
  /** What else the step does, as a note above the files. */
  readonly note?: string | undefined;
  /** Check boxes, initially off unless the last attempt had them ticked. */
  readonly options?:
    | readonly { readonly id: string; readonly label: string; readonly isOn?: boolean | undefined }[]
    | undefined;
  /** Stores the ids of the ticked options as they are ticked, so that they outlive the page. */
  readonly keepOptions?: ((ids: readonly string[]) => void) | undefined;
}

/** What a user confirmed on the page of a step: the question as it was by then, with the verdict about the build, and their input. */
export interface ConfirmedStep {
  readonly question: GateQuestion;
  readonly input: ReviewInput;
}

/** The data and actions of a step's page. */
export interface StepReviewPorts {
  /** Resolves to both texts of a file that differs. */
  readonly texts: (path: string) => Promise<RowTexts>;
  readonly diff: (path: string) => Promise<unknown>;
  readonly diffAll?: (() => Promise<unknown>) | undefined;
  /** Has the platform compile the files, if their build is not known yet. */
  readonly check?: BuildCheck | undefined;
  /** Resolves to how the step affects users of the model; `undefined` if that could not be determined. */
  readonly impact: () => Promise<StepImpact | undefined>;
  /** Questions that were saved with their answers; comparing both branches costs queries, so it runs only on request. */
  readonly answers: StepAnswers;
}

/** Saved questions, and their answers on both branches. */
export interface StepAnswers {
  readonly count: () => Promise<number>;
  /** Rejects with the reason to show. */
  readonly compare: () => Promise<Impact>;
}

/** How a step affects users of the model. */
export interface StepImpact {
  readonly summary: string;
  readonly lines: readonly ModelDiffLine[];
  /** The changes in the model. */
  readonly model: ModelDiff;
  /** Opens the whole report. */
  readonly show: () => Promise<void>;
}

/** The page on which a user reviews and confirms a step, and the user's input; `undefined` if the page was closed. */
export interface StepReview {
  readonly source: Omit<ReviewSource, 'accountId'>;
  readonly answer: Promise<ConfirmedStep | undefined>;
}

const reportLink = 'report';

/** Makes the page of a commit or a merge. The verdict about the build and the impact are added when they are known. */
export function stepReview(
  key: string,
  question: GateQuestion,
  { differences, form }: { readonly differences: readonly ContentDifference[]; readonly form: StepForm },
  ports: StepReviewPorts,
): StepReview {
  let finish = (_confirmed: ConfirmedStep | undefined): void => undefined;
  const answer = new Promise<ConfirmedStep | undefined>((resolve) => {
    finish = resolve;
  });
  const build = new StepBuild(question, ports.check);
  const groups = groupsOf(differences);
  const impact = ports.impact().catch(() => undefined);
  let effects = (_situation: GatedSituation): readonly ReviewSection[] => effectsLoading;
  let answers: AskedImpact<StepReviewPorts> | undefined;
  const drawn = (): ReviewDocument => {
    const { situation } = build.question;
    const sections = [build.section, ...effects(situation), ...(answers ? [answers.section(ports)] : [])];
    return { ...documentOf(build.question, form, build.whyNot), sections, groups };
  };
  const document = new Store<ReviewDocument | undefined>(drawn());
  const draw = (): void => document.set(drawn());
  build.onDidChange(draw);
  void impact.then((found) => {
    effects = (situation) => effectSections(found, situation);
    draw();
  });
  void answersOf(ports).then((found) => {
    answers = found;
    found?.onDidFind(draw);
    if (found) draw();
  });
  const end = (confirmed: ConfirmedStep | undefined): void => {
    build.end();
    finish(confirmed);
  };
  const source: StepReview['source'] = {
    key,
    document,
    tick: () => undefined,
    texts: async (id) => ports.texts(id),
    diff: async (id) => ports.diff(id),
    diffAll: ports.diffAll,
    run: async (id) => {
      if (id === reportLink) await (await impact)?.show();
      else await Promise.all([build.run(id), answers?.run(id, ports)]);
    },
    input: (input) => keepInput(form, input),
    apply: async (input) => {
      const isEmpty = question.situation.content === '';
      if (isEmpty && (form.options ?? []).length > 0 && input.options.length === 0)
        throw new Hint('No file differs, so there is nothing to merge.');
      if (form.message?.isRequired === true && input.message.trim() === '') throw new Hint('A commit needs a message.');
      end({ question: build.question, input });
      return Promise.resolve(true);
    },
    close: () => end(undefined),
  };
  return { source, answer };
}

/** Stores what the user filled in, so that it outlives the page. */
function keepInput(form: StepForm, { message, options }: ReviewInput): void {
  form.message?.keep?.(message);
  form.keepOptions?.(options);
}

/** `whyNot`: why the step cannot be confirmed yet. Then it is not known either what must be typed for it. */
function documentOf(
  question: GateQuestion,
  { message, note, options = [] }: StepForm,
  whyNot: string,
): Omit<ReviewDocument, 'sections' | 'groups'> {
  const { situation, title, button, hasChanged } = question;
  const { warnings, ...confirmation } = confirmationFields(question);
  const isWaiting = whyNot !== '';
  const shown = isWaiting ? warnings.filter(({ id }) => id !== 'unchecked') : warnings;
  return {
    title: title.replace(/\?$/, ''),
    from: situation.from,
    to: situation.to ?? '',
    isProduction: situation.isDeploy !== false,
    warnings: [...(hasChanged ? [changedWarning] : []), ...(note === undefined ? [] : [noteOf(note)]), ...shown],
    ...(message ? { message: { label: 'Message', value: message.value, placeholder: message.placeholder } } : {}),
    options: options.map(({ id, label, isOn = false }) => ({ id, label, isOn })),
    ...(isWaiting ? {} : confirmation),
    action: { label: button, whyNot },
    links: [],
    empty: situation.content === undefined ? 'The files that differ could not be determined.' : 'No file differs.',
    busy: '',
    ticked: new Set(),
  };
}

function noteOf(text: string): ReviewDocument['warnings'][number] {
  return { id: 'note', severity: 'info', text };
}

function groupsOf(differences: readonly ContentDifference[]): ReviewDocument['groups'] {
  return differences.length === 0 ? [] : [{ id: 'files', label: 'Files', rows: differences.map(reviewRowOf) }];
}

/** The warning for a question that is asked again. */
export const changedWarning = {
  id: 'changed',
  severity: 'info',
  text: 'This has changed since you confirmed it.',
} as const satisfies ReviewDocument['warnings'][number];

/** Returns the text to type for a question and its warnings, as fields of the page. */
export function confirmationFields({
  typed,
  warnings,
}: Pick<GateQuestion, 'typed' | 'warnings'>): Pick<ReviewDocument, 'confirmation' | 'warnings'> {
  return {
    ...(typed === undefined ? {} : { confirmation: { label: `Type “${typed}” to confirm`, expected: typed } }),
    warnings: warnings.map(({ kind, text }) => ({ id: kind, severity: severityOf(kind), text })),
  };
}

function severityOf(kind: GateWarning['kind']): 'warning' | 'error' {
  return kind === 'failed' ? 'error' : 'warning';
}

/** Returns a file that differs as a row that cannot be left out. */
export function reviewRowOf({ path, before, after, from }: ContentDifference): ReviewRow {
  const kind = from !== undefined ? 'rename' : before === undefined ? 'add' : after === undefined ? 'delete' : 'change';
  return { id: path, path, kind, canTick: false, ...(from === undefined ? {} : { from }) };
}

const impactLoading: ReviewSection = {
  id: 'impact',
  title: 'Impact',
  summary: 'Comparing both branches…',
  state: 'loading',
  lines: [],
};

const effectsLoading: readonly ReviewSection[] = [modelSection('loading'), impactLoading];

/** Resolves to the section of saved questions; `undefined` if there are none. */
async function answersOf({ answers }: StepReviewPorts): Promise<AskedImpact<StepReviewPorts> | undefined> {
  const count = await answers.count().catch(() => 0);
  if (count === 0) return undefined;
  const texts = {
    id: 'answers',
    title: 'Answers',
    unknown: `${plural(count, 'saved question')}, not compared yet`,
    loading: 'Asking on both branches…',
    check: 'Compare Answers',
  };
  return new AskedImpact({ isSame: () => true, find: async () => answers.compare() }, texts);
}

/** Returns the sections about what the step changes in the model, and who uses that. */
function effectSections(impact: StepImpact | undefined, situation: GatedSituation): readonly ReviewSection[] {
  return [
    modelSection(impact?.model ?? new Error('is not known: the branches could not be read.')),
    impactSection(impact, situation),
  ];
}

function impactSection(impact: StepImpact | undefined, { from, build }: GatedSituation): ReviewSection {
  const section = { id: 'impact', title: 'Impact' };
  if (!impact) return { ...section, summary: 'The impact could not be determined.', state: 'unknown', lines: [] };
  // Names are compared by their texts: a model that is not built answers no query, whatever names it has.
  const isUncertain = build === 'failed';
  // A name that is gone may be used where the platform does not list it: in queries of other programs.
  const lines = [...impact.lines, ...impact.model.lines];
  const state = isUncertain || lines.some(({ severity }) => severity === 'warning') ? 'warning' : 'ok';
  const summary = isUncertain ? `${impact.summary} Not certain while the build of ${from} fails.` : impact.summary;
  const link = { id: reportLink, label: 'Show Review' };
  return { ...section, summary, state, lines: impact.lines, link };
}

/** Returns the title of a difference: `orders.yml (main ↔ dev-ada-1)`. */
export function differenceTitle(path: string, { from, to }: GatedSituation): string {
  return `${baseName(path)} (${to ?? ''} ↔ ${from})`;
}
