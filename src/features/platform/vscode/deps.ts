import type { SignInDeps } from '#features/accounts/vscode/index.ts';
import type { PlatformData } from '#features/platform/platform-data.ts';
import type { Session } from '#features/platform/session.ts';

/** The dependencies of asking for a deployment, which includes signing in if there is no account. */
export interface DeploymentPickDeps extends SignInDeps {
  readonly data: PlatformData;
  readonly session: Session;
}
