import { unreachable } from '#base/result.ts';
import type { UploadRisk } from './upload-consent.ts';

/** The question how saved files are pushed: one notification with two buttons. */
export interface PushQuestion {
  readonly message: string;
  readonly automatically: string;
  readonly manually: string;
  readonly isWarning: boolean;
}

/** What a push goes to, by the names that the user knows. */
export interface PushDestination {
  readonly branch: string;
  readonly deployment: string;
}

/** Asks for automatic or manual pushes and warns of the risk in the same breath, so that there is one question only. */
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
        // Another question follows: this risk is certain.
        automatically: 'Push Automatically…',
        manually,
        isWarning: true,
      };
    default:
      return unreachable(risk);
  }
}
