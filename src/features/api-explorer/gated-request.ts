import type { Operation } from '#api/operation.ts';
import { operations } from '#api/resources/operations.ts';
import type { BranchStep, BranchWrite } from '#features/platform/index.ts';
import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import type { RequestParts } from './request-template.ts';

/** A request that can change the branch that production is built from, as the production gate needs it. */
export type GatedRequest = BranchStep | BranchWrite;

type Read = (request: {
  readonly target: DeploymentTarget;
  /** Returns a field of the body, or else of the query. */
  readonly field: (name: string) => string | undefined;
}) => GatedRequest;

const branchStep =
  (step: BranchStep['step']): Read =>
  ({ target, field }) => ({ step, target: { ...target, branchName: field('branchName') ?? '' } });

const filesOf: Read = ({ target, field }) => ({
  step: 'writeFiles',
  target,
  from: 'the request',
  to: field('branchName'),
});

/** How to read the target of each gated request. The test of all operations compares the ids. */
export const gatedRequests: Readonly<Record<string, Read>> = {
  commit: branchStep('commit'),
  merge: branchStep('merge'),
  mergeToDefault: branchStep('mergeToDefault'),
  // Only finishing an upload changes a branch: the one of its transaction, which the request does not show.
  finishUpload: ({ target }) => ({ step: 'upload', target, from: 'the upload', to: undefined }),
  startDbtSync: ({ target, field }) => ({ step: 'dbtSync', target, from: 'dbt', to: field('branchName') }),
  connectGithub: ({ target, field }) => {
    const from = `${field('owner') ?? ''}/${field('repo') ?? ''}`;
    return { step: 'connectGithub', target, from, to: field('branch'), isDeploy: true };
  },
  deleteBranch: ({ target, field }) => {
    const to = field('branchName');
    return { step: 'deleteBranch', target, from: to ?? '', to };
  },
  // The platform takes them for dev branches only, but only the list of branches shows that production is not built from one.
  writeDataModelFiles: filesOf,
  deleteDataModelFiles: filesOf,
  renameDataModelFiles: filesOf,
};

const documented = new Set(operations.map(({ id }) => id));

/**
 * Returns the request as the gate needs it; `undefined` if it cannot reach production. For an operation that only the
 * server describes, it is not known what the request changes.
 */
export function gatedRequest(
  op: Pick<Operation, 'id' | 'method' | 'path' | 'query' | 'body' | 'guessedBody' | 'roundTrip'>,
  chunks: Pick<RequestParts, 'params' | 'query' | 'body'>,
  accountId: string,
): GatedRequest | undefined {
  const { params, query, body } = sentParts(op, chunks);
  const target = { accountId, deploymentId: textField(params, deploymentParameter(op)) ?? '' };
  if (!documented.has(op.id)) {
    return op.method === 'GET' ? undefined : { step: 'undocumented', target, from: op.id, to: undefined };
  }
  const read = Object.hasOwn(gatedRequests, op.id) ? gatedRequests[op.id] : undefined;
  return read?.({ target, field: (name) => onlyField(name, body, query) });
}

/** Returns the parts of a request that are sent: what its operation does not have is left out, whatever it says. */
export function sentParts(
  op: Pick<Operation, 'query' | 'body' | 'guessedBody' | 'roundTrip'>,
  { params, query, body }: Pick<RequestParts, 'params' | 'query' | 'body'>,
): Pick<RequestParts, 'params' | 'query' | 'body'> {
  const hasBody = op.body !== undefined || op.guessedBody === true || op.roundTrip === true;
  return { params, query: op.query && query, body: hasBody ? body : undefined };
}

/** Returns a field of the body or the query; `undefined` if they disagree, because the server decides which one counts. */
function onlyField(name: string, body: unknown, query: unknown): string | undefined {
  const [one, other] = [textField(body, name), textField(query, name)];
  return one === undefined || other === undefined || one === other ? (one ?? other) : undefined;
}

/** Returns the name of the path parameter that is the deployment. */
function deploymentParameter({ path }: Pick<Operation, 'path'>): string {
  return /\/deployments\/\{(\w+)\}/.exec(path)?.[1] ?? 'deploymentId';
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
