import { createHmac, randomBytes } from 'node:crypto';

/** Every credential is made of this: random for each process, unless a test that restarts the platform names one. */
const secret = process.env['PLATFORM_SECRET'] ?? randomBytes(32).toString('base64url');

const credential = (name: string): string => createHmac('sha256', secret).update(name).digest('base64url').slice(0, 32);

/** `CUBEJS_API_SECRET` of a seeded deployment. */
export const seededSecret = (deploymentId: number): string =>
  `demo-api-secret-${credential(`deployment ${deploymentId}`)}`;

/** Names, ids and credentials of the demo seed. Names and ids are fixed, so that tests and demonstrations can rely on them. */
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
    unscoped: `demo-key-${credential('unscoped')}`,
    /** For the deployments 1 and 2. */
    scoped: `demo-key-${credential('scoped')}`,
    expired: `demo-key-${credential('expired')}`,
    /** The colleague's, without administration and special permissions. */
    colleague: `demo-key-${credential('colleague')}`,
    foreign: `demo-key-${credential('foreign')}`,
  },
  /** What the keys are called on the platform. */
  keyNames: { unscoped: 'Demo', scoped: 'Two deployments', expired: 'Old', colleague: 'Grace', foreign: 'Acme' },
  /** What the page of the browser sign-in asks for, whoever signs in. */
  password: credential('password'),
  /** `CUBEJS_API_SECRET` of the shop's deployment. */
  apiSecret: seededSecret(1),
  github: { owner: 'shop', repo: 'marketing-model' },
} as const;
