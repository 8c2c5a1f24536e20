import { accountSamples } from './samples/account.ts';
import { deploymentsSamples } from './samples/deployments.ts';
import { modelSamples } from './samples/model.ts';
import type { Sample } from './samples/sample.ts';
import { sessionsSamples } from './samples/sessions.ts';
import { workspaceSamples } from './samples/workspace.ts';

export { canary } from './samples/sample.ts';

/** The requests and responses of the table-driven tests, by operation. */
export const samples: Readonly<Record<string, Sample>> = {
  ...deploymentsSamples,
  ...modelSamples,
  ...workspaceSamples,
  ...accountSamples,
  ...sessionsSamples,
};
