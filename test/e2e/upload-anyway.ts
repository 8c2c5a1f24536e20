import type { Workbench } from './workbench.ts';

/** Answers the question before the first upload to a deployment of which the platform does not say how it was created. */
export async function uploadAnyway(workbench: Workbench): Promise<void> {
  await workbench.dialogText.filter({ hasText: 'may be connected to a Git repository' }).waitFor();
  await workbench.dialog('Upload Anyway');
}

/** Answers the question after the first save in a folder, which warns of a Git repository where nothing is known of one. */
export async function choosePush(workbench: Workbench, answer: 'Push Automatically' | 'Push Manually'): Promise<void> {
  const question = /Push saved files to “.*” automatically\? .*whether a Git repository feeds/;
  await workbench.notification(question).waitFor();
  await workbench.picture('first-save');
  await workbench.notificationButton(question, answer);
}
