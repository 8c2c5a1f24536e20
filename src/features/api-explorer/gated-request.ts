import type { Operation } from '#api/operation.ts';
import type { BranchStep, BranchWrite } from '#features/platform/index.ts';
import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import type { RequestParts } from './request-template.ts';

/** A request that can change the branch that production is built from, as the production gate needs it. */
export type GatedRequest = BranchStep | BranchWrite;

type Read = (request: {
  readonly target: DeploymentTarget;
  readonly field: (name: string) => string | undefined;
}) => GatedRequest;

const branchStep =
  (step: BranchStep['step']): Read =>
  ({ target, field }) => ({ step, target: { ...target, branchName: field('branchName') ?? '' } });

/** How to read the target of each gated request. The test of all operations compares the ids. */
export const gatedRequests: Readonly<Record<string, Read>> = {
  commit: branchStep('commit'),
  merge: branchStep('merge'),
  mergeToDefault: branchStep('mergeToDefault'),
  // Only finishing an upload changes a branch.
  finishUpload: ({ target, field }) => ({ step: 'upload', target, from: 'the upload', to: field('branchName') }),
  startDbtSync: ({ target, field }) => ({ step: 'dbtSync', target, from: 'dbt', to: field('branchName') }),
  connectGithub: ({ target, field }) => {
    const from = `${field('owner') ?? ''}/${field('repo') ?? ''}`;
    return { step: 'connectGithub', target, from, to: field('branch'), isDeploy: true };
  },
};

/** Returns the request as the gate needs it; `undefined` if it cannot reach production. */
export function gatedRequest(
  { id }: Pick<Operation, 'id'>,
  { params, body }: Pick<RequestParts, 'params' | 'body'>,
  accountId: string,
): GatedRequest | undefined {
  const read = Object.hasOwn(gatedRequests, id) ? gatedRequests[id] : undefined;
  const deploymentId = textField(params, 'deploymentId') ?? '';
  return read?.({ target: { accountId, deploymentId }, field: (name) => textField(body, name) });
}

/** Returns the target of the pass for a request. */
export function gatedTarget({ target }: GatedRequest): BranchTarget {
  return 'branchName' in target ? target : { ...target, branchName: '' };
}

/** Whether a request is a Git step of a branch; the others name the branch that they write to. */
export function isBranchStep(request: GatedRequest): request is BranchStep {
  return request.step === 'commit' || request.step === 'merge' || request.step === 'mergeToDefault';
}

/** Returns a text or number field of a request's params, query or body as text. */
export function textField(part: unknown, name: string): string | undefined {
  const value =
    typeof part === 'object' && part !== null ? (part as Readonly<Record<string, unknown>>)[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
