/** Names, ids and credentials of the demo seed: fixed, so that tests and demonstrations can rely on them. */
export const demo = {
  account: 'shop',
  otherAccount: 'acme',
  owner: 'ada@shop.example',
  colleague: 'grace@shop.example',
  analyst: 'linus@shop.example',
  /** Ids of deployments. */
  shop: 1,
  cli: 2,
  connected: 3,
  /** Of the other tenant. */
  foreign: 4,
  /** The agent of the shop's deployment. */
  agentId: '1',
  sharedBranch: 'pricing-experiments',
  stagedBranch: 'returns-model',
  staleDevBranch: 'dev-grace-1',
  keys: {
    unscoped: 'demo-key-all-deployments',
    /** For the deployments 1 and 2. */
    scoped: 'demo-key-two-deployments',
    expired: 'demo-key-expired',
    /** The colleague's, without administration and special permissions. */
    colleague: 'demo-key-colleague',
    foreign: 'demo-key-other-account',
  },
  /** `CUBEJS_API_SECRET` of the shop's deployment. */
  apiSecret: 'demo-api-secret-of-the-shop',
  github: { owner: 'shop', repo: 'marketing-model' },
} as const;
