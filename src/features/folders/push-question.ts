import { unreachable } from '#base/result.ts';
import type { UploadRisk } from './upload-consent.ts';

/** The question whether to push saved files automatically: one notification with two buttons. */
export interface PushQuestion {
  readonly message: string;
  readonly automatically: string;
  readonly manually: string;
  readonly isWarning: boolean;
}

/** The destination of a push, by the names that the user knows. */
export interface PushDestination {
  readonly branch: string;
  readonly deployment: string;
}

/**
 * Returns a question that offers automatic or manual pushes and includes the warning about the risk, so that the user is asked
 * once.
 */
export function pushQuestion({ branch, deployment }: PushDestination, risk: UploadRisk | undefined): PushQuestion {
  const question = `Push saved files to “${branch}” automatically?`;
  const manually = 'Push Manually';
  switch (risk?.kind) {
    case undefined:
      return {
        message: `${question} Others see them only when you commit, and deletions always wait for a push.`,
        automatically: 'Push Automatically',
        manually,
        isWarning: false,
      };
    case 'unknown':
      return {
        message: `${question} The platform does not say whether a Git repository feeds “${deployment}”; if one does, its pushes and your uploads overwrite each other.`,
        automatically: 'Push Automatically',
        manually,
        isWarning: true,
      };
    case 'connected':
      return {
        message: `${question} “${deployment}” is connected to ${risk.provider}, and pushes to ${risk.provider} and your uploads overwrite each other.`,
        // Another question follows, because this risk is certain.
        automatically: 'Push Automatically…',
        manually,
        isWarning: true,
      };
    default:
      return unreachable(risk);
  }
}
