import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { passage, textOf } from '#base/user-text.ts';
import type { UploadRisk } from '#features/folders/upload-consent.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { UploadDeps } from './deps.ts';

/** Warns once before uploads to a deployment that a Git provider feeds or may feed; answers whether to continue. */
export async function mayUpload({ data, consent }: UploadDeps, target: DeploymentTarget): Promise<boolean> {
  // What is not known of the deployment cannot be warned of.
  await data.deployments(target.accountId).ensure();
  return consent.obtain(target, async (risk) => {
    const upload = 'Upload Anyway';
    const { message, detail } = wording(data.nameOf(target), risk);
    const options = { modal: true, detail: passage(detail) };
    return (await vscode.window.showWarningMessage(textOf(message), options, upload)) === upload;
  });
}

function wording(name: string, risk: UploadRisk): { readonly message: string; readonly detail: string } {
  const once = 'Modelbench does not ask again for this deployment.';
  if (risk.kind === 'unknown') {
    return {
      message: `“${name}” may be connected to a Git repository`,
      detail: `The platform does not say where this deployment’s files come from. If a Git repository feeds it, uploads and pushes overwrite each other. Continue if you know that nobody pushes there meanwhile. ${once}`,
    };
  }
  return {
    message: `“${name}” is connected to ${risk.provider}`,
    detail: `Uploads and pushes to ${risk.provider} overwrite each other: changes that only one of them has can be lost. Continue if nobody pushes there meanwhile. ${once}`,
  };
}
