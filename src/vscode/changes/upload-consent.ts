import * as vscode from 'vscode';
import type { DeploymentTarget } from '#protocol/targets.ts';
import type { Services } from '../services.ts';

/** Warns once of uploads to a deployment that is connected to a Git provider; answers whether to go on. */
export async function mayUpload(
  { data, consent }: Pick<Services, 'data' | 'consent'>,
  target: DeploymentTarget,
): Promise<boolean> {
  // What is not known of the deployment cannot be warned of.
  await data.deployments(target.accountId).ensure();
  const provider = consent.missing(target);
  if (provider === undefined) return true;
  const upload = 'Upload Anyway';
  const answer = await vscode.window.showWarningMessage(
    `“${data.nameOf(target)}” is connected to ${provider}`,
    {
      modal: true,
      detail: `Uploads from here and pushes to ${provider} overwrite each other: what only one of them has can be lost. Go on if you know that nobody pushes there meanwhile; you are not asked again for this deployment.`,
    },
    upload,
  );
  if (answer !== upload) return false;
  await consent.accept(target);
  return true;
}
