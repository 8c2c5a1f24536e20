import * as api from '#api/resources/branches.ts';
import { activeDevBranch, resolveBranch, writableBranch } from '../core/branches.ts';
import { stopDevMode } from '../core/dev-mode.ts';
import { forbidden } from '../core/refusal.ts';
import type { BranchRow } from '../core/rows.ts';
import { commit, mergeInto, type Outcome, parentOf, pull } from '../core/workflow.ts';
import { record } from './record.ts';
import { type Call, route } from './route.ts';

export const workflowRoutes = [
  route(api.commit, async (call) => {
    const { core, caller, deployment, body } = call;
    const branch = writableBranch(core, caller, deployment, body.branchName);
    return done(call, 'branch.committed', await commit(core, caller, deployment, branch, body.message));
  }),

  route(api.pull, async (call) => {
    const { core, caller, deployment, body } = call;
    const branch = ownBranch(call, body.branchName);
    return done(call, 'branch.pulled', await pull(core, caller, deployment, branch));
  }),

  route(api.merge, async (call) => {
    const { core, caller, deployment, body } = call;
    const branch = ownBranch(call, body.branchName);
    const target = parentOf(core, deployment, branch);
    const outcome = await mergeInto(core, caller, deployment, branch, target, {
      squash: body.squashCommits,
      deleteBranch: body.deleteBranch,
    });
    const active = activeDevBranch(core, caller, deployment);
    if (body.switchToParentBranch === true && active?.name === branch.name) stopDevMode(core, caller, deployment);
    return done(call, 'branch.merged', outcome);
  }),

  route(api.mergeToDefault, async (call) => {
    const { core, caller, deployment, body } = call;
    const branch = ownBranch(call, body.branchName);
    const target = resolveBranch(core, caller, deployment, deployment.deploy_branch);
    const outcome = await mergeInto(core, caller, deployment, branch, target, {
      message: body.message,
      deleteBranch: body.removeBranchAfterMerge,
    });
    return done(call, 'branch.mergedToDefault', outcome);
  }),
];

/** A shared branch, or a dev branch of the caller. */
function ownBranch(call: Pick<Call, 'core' | 'caller' | 'deployment'>, name: string): BranchRow {
  const branch = resolveBranch(call.core, call.caller, call.deployment, name);
  if (branch.is_dev === 1 && branch.owner_id !== call.caller.userId) {
    throw forbidden(`Branch "${branch.name}" is another person's dev-mode branch.`);
  }
  return branch;
}

function done(call: Pick<Call, 'core' | 'caller' | 'deployment'>, eventName: string, outcome: Outcome): Outcome {
  record(call, eventName, { ...outcome }, call.deployment.id);
  return outcome;
}
