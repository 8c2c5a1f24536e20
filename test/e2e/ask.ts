import type { Frame, FrameLocator } from 'playwright-core';
import { untilSeen } from './until.ts';

/**
 * Milliseconds a word at which an answer that has begun does not end before a test is done with it, however slow the machine is: a
 * long story takes 20 minutes.
 */
export const endless = 1000;

/** Asks the agent as a user does; the panel takes a question once it is set up and no answer is running. */
export async function ask(chat: Frame | FrameLocator, question: string): Promise<void> {
  const field = chat.getByRole('textbox', { name: 'Question for the agent' });
  await field.fill(question);
  await chat.getByRole('button', { name: 'Send', disabled: false }).waitFor();
  await field.press('Enter');
}

/** Begins a new thread; a page that is just drawn again may lose the click. */
export async function newThread(chat: FrameLocator): Promise<void> {
  const button = chat.getByRole('button', { name: 'New Thread' });
  const empty = chat.getByRole('heading', { name: 'Ask about your data' });
  await untilSeen(empty, async (timeout) => button.click({ timeout }));
}
