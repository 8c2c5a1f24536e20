import { describe, expect, it } from 'vitest';
import { TASK_NAMES, taskInstructions, taskOf } from '#chat-core/tasks.ts';

describe('taskOf', () => {
  it.each([
    ['/fix', 'fix'],
    ['/explain orders.count', 'explain'],
    ['  /review\nplease', 'review'],
    ['/fixture', undefined],
    ['Please /fix', undefined],
    ['/new', undefined],
  ])('reads %j as %j', (question, task) => {
    expect(taskOf(question)).toBe(task);
  });
});

describe('taskInstructions', () => {
  it.each(TASK_NAMES)('explains to the agent what %s means, under the word that the user wrote', (name) => {
    const instructions = taskInstructions(`/${name} orders`);
    expect(instructions?.label).toBe(`/${name}`);
    expect(instructions?.text).toMatch(/^[A-Z][^]*\.$/);
  });

  it('says nothing for a plain question', () => {
    expect(taskInstructions('How many orders?')).toBeUndefined();
  });
});
