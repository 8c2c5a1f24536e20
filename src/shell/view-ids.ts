/** The ids of the views in the manifest. */
export const views = {
  deployments: 'modelbench.deployments',
  branches: 'modelbench.branches',
  changes: 'modelbench.changes',
  workspace: 'modelbench.workspace',
  administration: 'modelbench.administration',
  apiExplorer: 'modelbench.apiExplorer',
  chat: 'modelbench.chat',
} as const;

export type ViewId = (typeof views)[keyof typeof views];

/** The scheme of documents that live on the platform: `modelbench://<deployment>/<branch>/<path>`. */
export const remoteScheme = 'modelbench';

/** The scheme of the API Explorer's documents. */
export const apiScheme = 'modelbench-api';

/** The scheme of platform objects that are edited as documents. */
export const objectScheme = 'modelbench-object';

/** The scheme of versions of files: those that were agreed on, that are on the platform, or that are in the trash. */
export const versionScheme = 'modelbench-version';

/** The scheme of texts that the agent proposes. */
export const proposalScheme = 'modelbench-proposal';

/** The scheme of the Administration view's documents. */
export const adminScheme = 'modelbench-admin';

/** Returns the type of the editors that show documents of a scheme as forms. */
export const formType = (scheme: string): string => `${scheme}.form`;

/** The type of the editors that preview the layout of a dashboard. */
export const layoutPreview = 'modelbench.dashboard';

/** The type of the editors that follow a log. */
export const logView = 'modelbench.log';

/** The type of the editors that show a playground. */
export const playgroundView = 'modelbench.playground';

/** The type of the editors that show a review. */
export const reviewView = 'modelbench.review';

/** The type of the editors that show a list of the administration as a table. */
export const listView = 'modelbench.list';

/** The id of the authentication provider in the Accounts menu. */
export const authenticationId = 'modelbench';
