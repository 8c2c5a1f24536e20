import { isPlatformError } from '#api/errors.ts';
import { text } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import {
  branchDifference,
  BuildChecks,
  gateQuestion,
  type GatedSituation,
  type ProductionPass,
  type StepReading,
} from '#features/platform/index.ts';
import type { ReviewInput } from '#features/review/messages.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { atGate, isOnPage, readAtGate } from './at-gate.ts';
import type { CommitInput } from './commit-input.ts';
import { followInto, type GatedStepPorts } from './gated-step.ts';
import type { LeftOutFile } from './git-attempt.ts';
import { commitBranch } from './git-workflow.ts';
import { withoutUnsent } from './left-out.ts';
import type { StepForm } from './step-review.ts';
import { unconfirmedFiles } from './unconfirmed-files.ts';

/** The sources of a commit's message. */
export interface MessageSource {
  /** The input that may already contain the message. */
  readonly input?: CommitInput | undefined;
  /** The message of a stopped commit that continues, and the branch that it was for. */
  readonly typed?: string | undefined;
  readonly to?: string | undefined;
  /** The initial text of the message field. */
  readonly suggested?: string | undefined;
}

/** The request of a commit. */
interface CommitRequest extends MessageSource {
  /** Versions that a continued step leaves out. */
  readonly leftOut?: readonly LeftOutFile[] | undefined;
}

/** Commits a dev branch; resolves to whether nothing is left to commit. */
export async function commitStep(ports: GatedStepPorts, target: BranchTarget, source: CommitRequest): Promise<boolean> {
  const leftOut = await withoutUnsent(ports, target, 'Commit', source.leftOut);
  if (!leftOut) return false;
  const { drafts } = ports;
  const checks = new BuildChecks();
  const reading = await readCommit(ports, target, source, checks);
  const now = reading.situation;
  const { input } = source;
  const typed = typedMessage(source);
  const keep = (message: string): void => drafts.keep('commit', target, message, input?.inputBox);
  const formWith = (value: string): StepForm => ({
    message: { value, placeholder: 'What changed and why', isRequired: true, keep },
  });
  const { message: first, wasAsked } = await messageOf(ports, target, reading, source, formWith);
  if (first === undefined) return false;
  const form = (before: ReviewInput | undefined): StepForm => formWith(before?.message ?? first);
  // While the question was open, anything may have changed.
  const known = wasAsked ? { confirmed: now, isReviewed: true } : { first: reading };
  const step = { step: 'commit', target, form, checks, ...known } as const;
  let parent = now.to;
  let shown: StepReading['files'];
  const outcome = await atGate(ports, step, async (pass, page, files) => {
    const message = page?.message.trim() ?? first;
    keep(message);
    parent = pass.to;
    shown = files;
    return sendCommit(ports, target, { message, parent, leftOut }, pass);
  });
  if (outcome.kind === 'nothing') {
    await endCommit(ports, target);
    return true;
  }
  if (outcome.kind === 'refused' || !outcome.value) return false;
  drafts.forget('commit', target);
  // The user may have changed the message on the page since.
  if (input && input.inputBox.value.trim() === typed) input.inputBox.value = '';
  followInto(ports, target, parent);
  await reportUnconfirmed(ports, { ...target, branchName: parent ?? '' }, shown);
  return true;
}

/** Reports files that were committed although the user did not confirm them. If nothing was compared before, nothing is now. */
async function reportUnconfirmed(
  { data, gate }: GatedStepPorts,
  changed: BranchTarget,
  shown: StepReading['files'],
): Promise<void> {
  const files = shown ? await unconfirmedFiles(data, changed, shown).catch(() => []) : [];
  if (files.length === 0) return;
  const named = files.slice(0, 3).join(', ') + (files.length > 3 ? ', …' : '');
  gate.say(
    `“${changed.branchName}” also has ${plural(files.length, 'change')} that you did not confirm, because someone made them while the commit was being sent: ${named}. Check them in the branch comparison.`,
  );
}

/**
 * Reads what a commit would do. Without a message, or if the user read another destination beside it, it is read for a review:
 * someone may have given the branch another parent since.
 */
async function readCommit(
  ports: GatedStepPorts,
  target: BranchTarget,
  source: MessageSource,
  checks: BuildChecks,
): Promise<StepReading> {
  const isTyped = typedMessage(source) !== '';
  const reading = await readAtGate(ports, { step: 'commit', target, isReviewed: !isTyped }, checks);
  const now = reading.situation;
  if (!isTyped || isNamed(now, source) || isOnPage(now)) return reading;
  return readAtGate(ports, { step: 'commit', target, isReviewed: true }, checks);
}

/** Whether the branch that the commit changes is the one that the user read beside the message. */
function isNamed({ to }: GatedSituation, source: MessageSource): boolean {
  return to !== undefined && to === (source.typed === undefined ? source.input?.to : source.to);
}

/**
 * Resolves to the message of a commit: the typed one, or the one that the user enters on the commit's page if there is something
 * to commit. A commit that reaches production has its own page later, with a field for the message.
 */
async function messageOf(
  { drafts, gate }: GatedStepPorts,
  target: BranchTarget,
  reading: StepReading,
  source: MessageSource,
  formWith: (message: string) => StepForm,
): Promise<{ readonly message: string | undefined; readonly wasAsked?: true }> {
  const given = typedMessage(source);
  const now = reading.situation;
  const question = gateQuestion(now);
  if (!question || (given !== '' && isNamed(now, source))) return { message: given };
  const value = given === '' ? (drafts.of('commit', target) ?? source.suggested ?? '') : given;
  if (isOnPage(now)) return { message: value };
  const filled = await gate.confirmStep(target, question, formWith(value), reading);
  return { message: filled?.message.trim(), wasAsked: true };
}

function typedMessage({ input, typed }: MessageSource): string {
  return typed ?? input?.inputBox.value.trim() ?? '';
}

/** Ends a stopped commit that has nothing left to commit. */
async function endCommit({ attempts }: GatedStepPorts, target: BranchTarget): Promise<void> {
  if (attempts.of(target)?.step === 'commit') await attempts.end(target);
}

interface SentCommit {
  readonly message: string;
  readonly parent: string | undefined;
  readonly leftOut: readonly LeftOutFile[];
}

/** Runs the commit; resolves to whether it succeeded, which is also true if there is nothing to commit. */
async function sendCommit(
  ports: GatedStepPorts,
  target: BranchTarget,
  { message, parent, leftOut }: SentCommit,
  pass: ProductionPass,
): Promise<boolean> {
  const step = {
    step: 'commit',
    from: parent,
    typed: message,
    leftOut,
    label: text`Committing ${target.branchName}`,
    done: 'Committed',
  } as const;
  try {
    return await ports.run(target, step, () => commitBranch(ports.data, target, message, pass));
  } catch (error) {
    if (!isPlatformError(error, 'invalidRequest') || parent === undefined) throw error;
    if ((await branchDifference(ports.data, target, parent).catch(() => undefined)) !== '') throw error;
    ports.gate.say(`Nothing to commit: ${target.branchName} and ${parent} are the same.`);
    await endCommit(ports, target);
    return true;
  }
}
