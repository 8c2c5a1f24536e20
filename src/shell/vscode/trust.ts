import { UserError } from '#shell/user-error.ts';
import type { Services } from '#compose/services.ts';

/** In Restricted Mode nothing is changed on the platform. */
export function requireTrust({ isTrusted }: Pick<Services, 'isTrusted'>): void {
  if (isTrusted.value) return;
  throw new UserError(
    'This window is in Restricted Mode: nothing is sent to the platform. Trust the workspace first.',
    {
      title: 'Manage Workspace Trust',
      command: 'modelbench.manageTrust',
    },
  );
}
