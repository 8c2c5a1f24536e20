import { isPlatformError } from '#api/errors.ts';
import { text } from '#base/user-text.ts';
import { branchDifference, type ProductionPass, type Review } from '#features/platform/index.ts';
import type { ReviewInput } from '#features/review/messages.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { atGate } from './at-gate.ts';
import type { CommitInput } from './commit-input.ts';
import { followInto, type GatedStepPorts } from './gated-step.ts';
import type { LeftOutFile } from './git-attempt.ts';
import { commitBranch } from './git-workflow.ts';
import { withoutUnsent } from './left-out.ts';
import type { StepForm } from './step-review.ts';

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
  const { input } = source;
  const typed = typedMessage(source);
  const keep = (message: string): void => drafts.keep('commit', target, message, input?.inputBox);
  const first = typed === '' ? (drafts.of('commit', target) ?? source.suggested ?? '') : typed;
  const form = (before: ReviewInput | undefined): StepForm => ({
    message: { value: before?.message ?? first, placeholder: 'What changed and why', isRequired: true, keep },
  });
  const step = { step: 'commit', target, review: reviewOf(source), form } as const;
  let parent: string | undefined;
  const outcome = await atGate(ports, step, async (pass, page) => {
    const message = page?.message.trim() ?? first;
    keep(message);
    parent = pass.to;
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
  return true;
}

/**
 * Returns when a commit is shown on its page: always without a message, which is entered there; otherwise if the user read
 * another destination beside the message, because someone may have given the branch another parent since.
 */
function reviewOf(source: MessageSource): Review {
  const to = source.typed === undefined ? source.input?.to : source.to;
  return typedMessage(source) === '' || to === undefined ? { kind: 'always' } : { kind: 'unlessTo', to };
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
