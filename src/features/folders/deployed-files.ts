/**
 * Patterns of what the platform’s command line never deploys, in addition to what sync always leaves out
 * (docs/sync.md#ignore-always). They hold for deploys only: a folder that is synchronised with a dev branch keeps its rules.
 */
export const neverDeployed: readonly string[] = ['dashboard-app'];
