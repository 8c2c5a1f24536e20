import type { SignInDeps } from '#features/accounts/vscode/index.ts';
import type { PlatformData } from '#features/platform/platform-data.ts';
import type { Session } from '#features/platform/session.ts';

/** What asking for an account's deployment needs: signing in comes first where there is no account. */
export interface DeploymentPickDeps extends SignInDeps {
  readonly data: PlatformData;
  readonly session: Session;
}
