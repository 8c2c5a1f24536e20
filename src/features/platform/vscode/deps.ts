import type { DeploymentTarget } from '#shell/targets.ts';
import type { Services } from '#compose/services.ts';
import type { DocumentFiles } from '#shell/vscode/documents/document-files.ts';

/** What the console's commands work with. */
export interface ConsoleServices extends Omit<Services, 'console'> {
  readonly objects: DocumentFiles;
}

/** How a deployment is named in titles of documents. */
export function titleOf({ data }: Pick<Services, 'data'>, target: DeploymentTarget): string {
  return data.nameOf(target).replaceAll('/', '-');
}
