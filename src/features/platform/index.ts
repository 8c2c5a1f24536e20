export { BranchContents } from './branch-contents.ts';
export { type BranchHashes, listedHashes } from './branch-hashes.ts';
export { type BranchRelation, branchRelation, type ForkPoints, relationText } from './branch-relation.ts';
export {
  type Branch,
  type BranchRole,
  deployBranchOf,
  isProduction,
  roleOf,
  shortHash,
  stagingRefusal,
} from './branches.ts';
export { BuildFreshness, buildText } from './build-freshness.ts';
export { buildAppearance, type BuildState, isBuilding } from './build-state.ts';
export { branchKey, type BuildFinished, type BuildWatcher } from './build-watch.ts';
export { dashboardFacts } from './dashboard-facts.ts';
export { type DeepLink, deepLink, parseDeepLink } from './deep-link.ts';
export {
  type Deployment,
  type Environment,
  isBeingSetUp,
  sqlConnectionString,
  sqlEndpoint,
  type VersionEntry,
} from './deployments.ts';
export type { DescribedData, OfferedData } from './described-platform.ts';
export { titleOf } from './document-title.ts';
export type { Favourites } from './favourites.ts';
export {
  branchDifference,
  type BranchStep,
  type BranchWrite,
  BuildChecks,
  type ContentDifference,
  differenceText,
  differencesOf,
  withRenames,
  readBranchStep,
  readBranchWrite,
  readCheckedStep,
  stepFiles,
} from './gated-branch.ts';
export {
  fetchBranches,
  fetchDeployments,
  fetchEmbedTenants,
  fetchEnvironments,
  fetchPods,
  toBranch,
} from './gateway.ts';
export { type LateFiles, lateFiles, lateText } from './late-files.ts';
export { linkFileName } from './link-file-name.ts';
export { linkedDeployments } from './linked-deployments.ts';
export { type FolderLink, type LinkedFolder, linkText, parseLink } from './link.ts';
export { readModelPath } from './model-path.ts';
export { isOffline } from './offline.ts';
export { openContents } from './open-contents.ts';
export { PagedList } from './paged-list.ts';
export type { PlatformData } from './platform-data.ts';
export {
  type GatedSituation,
  type GateWarning,
  isOfBranch,
  productionGate,
  type Review,
  type StepFiles,
  uncheckedText,
  unprovenBuildText,
} from './production-gate.ts';
export {
  checkedQuestion,
  type GateOutcome,
  type GateQuestion,
  gateQuestion,
  type ProductionPass,
  throughGate,
} from './production-pass.ts';
export type { BuildCheck } from './sent-build.ts';
export { reportOrders, type ReportOrderSetting } from './report-order.ts';
export type { Loadable, Resource } from './resource.ts';
export { deploymentOnly, type Session } from './session.ts';
export { sha1 } from './sha1.ts';
export type { Windows } from './windows.ts';
export type { Paged, WorkspaceFolder, WorkspaceItem } from './workspace-items.ts';
export { folderPage, reportPage, servedPage, workbookPage } from './workspace-lists.ts';
export { validateBranch } from './validate-branch.ts';
