import { plural } from '#base/words.ts';
import {
  type PlatformData,
  type ProductionPass,
  BuildChecks,
  differencesOf,
  type GatedSituation,
  lateFiles,
  lateText,
  productionGate,
  readBranchWrite,
  readCheckedStep,
  throughGate,
} from '#features/platform/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import type { ApiEntry } from './catalogue.ts';
import { needsTrust, type Question, questionBefore } from './effects.ts';
import { gatedRequest, type GatedRequest, gatedTarget, isBranchStep, sentParts, textField } from './gated-request.ts';
import { isSendable } from './request-document.ts';
import type { RequestParts } from './request-template.ts';

/** A request as read from its document. */
export interface ReadRequest {
  readonly entry: ApiEntry;
  readonly chunks: RequestParts;
  readonly account: { readonly id: string; readonly label: string };
}

/** Decides whether a request is sent. */
export interface AskPorts {
  readonly data: PlatformData;
  readonly isTrusted: boolean;
  readonly isProtected: (target: BranchTarget) => boolean;
  /** Asks the user for confirmation; they must type `typed` if it is given. */
  readonly confirm: (question: Question & { readonly typed: string | undefined }) => Promise<boolean>;
  readonly say: (hint: string) => void;
  /** Shows that a request is being read, and lets the user cancel that. */
  readonly reading?: (<T>(work: (signal?: AbortSignal) => Promise<T>) => Promise<T>) | undefined;
}

/**
 * Sends a request after all checks that it needs: a trusted window, a confirmation if it replaces or deletes something, and the
 * production gate if it can reach production. Throws `Hint` in Restricted Mode.
 */
export async function askAndSend(
  ports: AskPorts,
  request: ReadRequest,
  send: (pass?: ProductionPass) => Promise<void>,
): Promise<void> {
  const { entry, chunks, account } = request;
  if (needsTrust(entry.op) && !ports.isTrusted) {
    throw new Hint('In Restricted Mode only GET requests are sent. Trust this window to send others.', {
      title: 'Manage Workspace Trust',
      command: 'modelbench.manageTrust',
    });
  }
  // An invalid request is not sent, so it needs no confirmation: its result reports the problem.
  if (!isSendable(entry.op, chunks)) return send();
  const question = questionBefore(entry, chunks, account.label);
  const gated = gatedRequest(entry.op, chunks, account.id);
  if (!gated) {
    if (!question || (await isSure(ports, question, request))) await send();
    return;
  }
  await sendAtGate(ports, gated, question, send);
}

/**
 * Takes a request that can reach production through the gate. One that destroys something has a question of its own in any case,
 * which the gate asks: while a question is open, its branch may become the one that production is built from.
 */
async function sendAtGate(
  { data, isProtected, confirm, say, reading = async (work) => work() }: AskPorts,
  gated: GatedRequest,
  question: Question | undefined,
  send: (pass: ProductionPass) => Promise<void>,
): Promise<void> {
  const reader = { data, isProtected, checks: new BuildChecks() };
  await throughGate(
    gatedTarget(gated),
    {
      read: async () =>
        reading(async (signal) =>
          isBranchStep(gated) ? readCheckedStep(reader, gated, signal) : readBranchWrite(reader, gated),
        ),
      ask: async (asked) => {
        const { detail, typed, situation } = asked;
        // Where production is safe, the request is what is confirmed.
        const { title, button } = question && productionGate(situation).kind === 'free' ? question : asked;
        const parts = [detail, isBranchStep(gated) ? filesText(situation) : '', question?.detail ?? ''];
        const isYes = await confirm({ title, button, detail: parts.filter((part) => part !== '').join('\n\n'), typed });
        return isYes ? asked : undefined;
      },
      say,
      review: { kind: question ? 'always' : 'ifNeeded' },
    },
    async (pass) => {
      await send(pass);
      if (!isBranchStep(gated)) return;
      const brings = gated.step === 'commit' ? 'something' : 'perhaps';
      const late = await lateFiles(data, pass.target, pass.to, pass.files, brings);
      if (late) say(lateText(late));
    },
  );
}

/** Returns which files a step of a branch changes; empty if that is not known, which the gate says itself. */
function filesText({ content, from, to }: GatedSituation): string {
  if (content === undefined) return '';
  const paths = differencesOf(content).map(({ path }) => path);
  const named = paths.slice(0, 5).join(', ') + (paths.length > 5 ? ', …' : '');
  const verb = paths.length === 1 ? 'differs' : 'differ';
  return `${plural(paths.length, 'file')} of “${from}” ${verb} from “${to ?? 'its parent branch'}”: ${named}.`;
}

/**
 * Asks the user whether to send the request: with a button for ordinary targets, by typing the name of a protected branch or
 * deployment.
 */
async function isSure(ports: AskPorts, question: Question, { account, entry, ...read }: ReadRequest): Promise<boolean> {
  const chunks = sentParts(entry.op, read.chunks);
  const deploymentId = textField(chunks.params, 'deploymentId');
  const branchName = textField(chunks.body, 'branchName') ?? textField(chunks.query, 'branchName');
  const target = { accountId: account.id, deploymentId: deploymentId ?? '', branchName: branchName ?? '' };
  const typed = ports.isProtected(target) ? (branchName ?? deploymentId) : undefined;
  return ports.confirm({ ...question, typed });
}
