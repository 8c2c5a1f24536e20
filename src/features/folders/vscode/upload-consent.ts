import { passage, text, textOf } from '#base/user-text.ts';
import type { UploadRisk } from '#features/folders/upload-consent.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { UploadDeps } from './deps.ts';
import { confirmed } from '#shell/vscode/questions.ts';

/** Warns once before uploads to a deployment that a Git provider feeds or may feed; resolves to whether to continue. */
export async function mayUpload({ data, consent }: UploadDeps, target: DeploymentTarget): Promise<boolean> {
  // The risk is known only once the deployments are loaded.
  await data.deployments(target.accountId).ensure();
  return consent.obtain(target, async (risk) => {
    const { message, detail } = wording(data.nameOf(target), risk);
    return confirmed(textOf(message), text`Upload Anyway`, passage(detail));
  });
}

/** Returns one question and one sentence: users read this in a hurry. */
function wording(name: string, risk: UploadRisk): { readonly message: string; readonly detail: string } {
  const [origin, other] =
    risk.kind === 'unknown'
      ? ['may be connected to a Git repository', 'that repository']
      : [`is connected to ${risk.provider}`, risk.provider];
  return {
    message: `Upload to “${name}”, which ${origin}?`,
    detail: `Uploads and pushes to ${other} overwrite each other, and Modelbench does not ask again for this deployment.`,
  };
}
