export type { DeploymentPickDeps } from './deps.ts';
export { type BranchChoice, deploymentOrPick, pickBranch, pickDeployment, pickLinked } from './pick.ts';
export { typeEmbedTenant } from './type-embed-tenant.ts';
export { writeAtGate } from './write-at-gate.ts';
export { requireInFolder, writeInFolder } from './write-in-folder.ts';
