import type { Workbench } from './workbench.ts';

/** Answers the question before the first upload to a deployment of which the platform does not say how it was created. */
export async function uploadAnyway(workbench: Workbench): Promise<void> {
  await workbench.dialogText.filter({ hasText: 'may be connected to a Git repository' }).waitFor();
  await workbench.dialog('Upload Anyway');
}
