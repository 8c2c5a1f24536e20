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
 * once. The answer becomes a setting of the user, so the question says that it applies to every linked folder.
 */
export function pushQuestion({ branch, deployment }: PushDestination, risk: UploadRisk | undefined): PushQuestion {
  const question = `Push saved files to “${branch}” automatically?`;
  const manually = 'Push Manually';
  switch (risk?.kind) {
    case undefined:
      return {
        message: `${question} This applies to all linked folders; others see the files only when you commit, and deletions always wait for a push.`,
        automatically: 'Push Automatically',
        manually,
        isWarning: false,
      };
    case 'unknown':
      return {
        message: `${question} This applies to all linked folders, and the platform does not say whether a Git repository feeds “${deployment}”; if one does, its pushes and your uploads overwrite each other.`,
        automatically: 'Push Automatically',
        manually,
        isWarning: true,
      };
    case 'connected':
      return {
        message: `${question} This applies to all linked folders, and “${deployment}” is connected to ${risk.provider}: pushes to ${risk.provider} and your uploads overwrite each other.`,
        // Another question follows, because this risk is certain.
        automatically: 'Push Automatically…',
        manually,
        isWarning: true,
      };
    default:
      return unreachable(risk);
  }
}
