import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { BranchFiles } from '#features/folders/branch-files.ts';
import type { ConfirmStep } from '#features/history/at-gate.ts';
import type { GatedStepPorts } from '#features/history/gated-step.ts';
import { GitAttempts } from '#features/history/git-attempt.ts';
import { MessageDrafts } from '#features/history/message-drafts.ts';
import { stepReview } from '#features/history/step-review.ts';
import { lateText } from '#features/platform/late-files.ts';
import { differencesOf } from '#features/platform/gated-branch.ts';
import type { GateQuestion } from '#features/platform/production-pass.ts';
import type { ReviewSource } from '#features/review/source.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { MemoryState } from '#support/memory-state.ts';
import type { Engine } from '#platform/engine/index.ts';

/** A file that the dev branch of a step desk has changed. */
export const changedFile = 'model/cubes/new.yml';

/** Intercepts a request of the window on its way to the platform. */
export type Intercept = (request: Request, send: (request: Request) => Promise<Response>) => Promise<Response>;

/** What a user does on the page of a step. */
export type OnPage = (page: OpenPage) => Promise<void>;

/** An open page of a step. */
export interface OpenPage {
  readonly question: GateQuestion;
  readonly source: ReviewSource;
  /** Resolves when the step can be confirmed, with the text that must be typed. */
  readonly ready: () => Promise<string>;
  /** Types what the page wants, and presses the button. */
  readonly press: () => Promise<void>;
}

/** A dev branch of production with one new file, and the steps of its user on the real pages. */
export interface StepDesk extends Desk {
  readonly dev: BranchTarget;
  readonly ports: GatedStepPorts;
  /** The requests so far, such as `GET file-hashes main`; writes of the test itself are left out. */
  readonly log: string[];
  /** The titles of the questions so far; hints of the gate begin with `hint:`. */
  readonly asked: string[];
  /** Writes a file of the dev branch, as another window of the user does. */
  readonly write: (path: string, content: string) => Promise<void>;
}

/** Opens a desk whose user does `pages` on the pages of steps, one after the other, and closes any further page. */
export async function openStepDesk(
  pages: readonly OnPage[],
  { intercept = async (request, send) => send(request), engine }: { intercept?: Intercept; engine?: Engine } = {},
): Promise<StepDesk> {
  const log: string[] = [];
  const asked: string[] = [];
  let isSilent = true;
  const desk = await openDesk({
    ...(engine ? { engine } : {}),
    through: async (request, send) => {
      if (isSilent) return send(request);
      log.push(lineOf(request));
      return intercept(request, send);
    },
  });
  const { data, account } = desk;
  const dev = await startDevMode(desk, { accountId: account.id, deploymentId: '1', branchName: 'main' });
  const write = async (path: string, content: string): Promise<void> => {
    const before = isSilent;
    isSilent = true;
    const body = { branchName: dev.branchName, files: [{ path, content }] };
    await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
    isSilent = before;
  };
  await write(changedFile, 'cubes: []\n');
  await data.deployments(account.id).ensure();
  const files = new BranchFiles(data, Date.now, async () => Promise.reject(new Error('Nothing is replaced here.')));
  const left = [...pages];
  const confirmStep: ConfirmStep = async (target, question, form, check) => {
    asked.push(question.title);
    const { files: read, to = '' } = question.situation;
    const production = { ...target, branchName: to };
    await Promise.all([files.refresh(target, read?.own), files.refresh(production, read?.theirs)]);
    const differences = differencesOf(question.situation.content);
    const impact = Promise.allSettled([files.tree(target), files.tree(production)]).then(() => undefined);
    const ports = {
      texts: async () => Promise.resolve({ before: '', after: '' }),
      diff: async () => Promise.resolve(),
      check,
      impact: async () => impact,
      answers: { count: async () => Promise.resolve(0), compare: async () => Promise.reject(new Error()) },
    };
    const review = stepReview('step', question, { differences, form }, ports);
    const { answer } = review;
    const source = { ...review.source, accountId: undefined };
    const ready = async (): Promise<string> => readyPage(source);
    const press = async (): Promise<void> => {
      await source.apply({ message: 'Why', options: [], typed: await ready() });
    };
    await left.shift()?.({ question, source, ready, press });
    source.close();
    await impact;
    return answer;
  };
  const ports: GatedStepPorts = {
    data,
    builds: { follow: async () => Promise.resolve() },
    attempts: new GitAttempts(new MemoryState()),
    syncs: { ofBranch: () => [] } as never,
    drafts: new MessageDrafts(),
    gate: {
      isProtected: () => false,
      confirm: async ({ title }) => {
        asked.push(title);
        return Promise.resolve(false);
      },
      confirmStep,
      say: (hint) => void asked.push(`hint: ${hint}`),
    },
    dialogs: { askUnsent: async () => Promise.resolve('without'), push: async () => Promise.resolve() },
    run: async (_target, _spec, work) => {
      const outcome = await work();
      const late = outcome.ok ? await outcome.value.late : undefined;
      if (late) asked.push(`hint: ${lateText(late)}`);
      return outcome.ok && late?.hadNoEffect !== true;
    },
  };
  isSilent = false;
  return { ...desk, dev, ports, log, asked, write };
}

/** Presses the button of a page. */
export const press: OnPage = async (page) => page.press();

async function readyPage({ document }: ReviewSource): Promise<string> {
  const now = document.value;
  if (now?.action.whyNot === '') return now.confirmation?.expected ?? '';
  return new Promise((resolve) => {
    const stop = document.onDidChange((next) => {
      if (next?.action.whyNot !== '') return;
      stop.dispose();
      resolve(next.confirmation?.expected ?? '');
    });
  });
}

function lineOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  const branch = searchParams.get('branchName');
  return [request.method, pathname.split('/').at(-1), ...(branch === null ? [] : [branch])].join(' ');
}
