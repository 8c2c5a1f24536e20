/**
 * Patterns of files that the platform’s command line never deploys, in addition to those that sync always leaves out
 * (docs/sync.md#ignore-always). They apply to deploys only: a folder that is synced with a dev branch keeps its rules.
 */
export const neverDeployed: readonly string[] = ['dashboard-app'];
