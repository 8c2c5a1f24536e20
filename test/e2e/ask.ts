import type { FrameLocator } from 'playwright-core';

/** Asks the agent as a user does; the panel takes a question once it is set up and no answer is running. */
export async function ask(chat: FrameLocator, question: string): Promise<void> {
  const field = chat.getByRole('textbox', { name: 'Question for the agent' });
  await field.fill(question);
  await chat.getByRole('button', { name: 'Send', disabled: false }).waitFor();
  await field.press('Enter');
}
