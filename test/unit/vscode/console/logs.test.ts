import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type HandlerDesk, openHandlerDesk } from '#support/handler-desk.ts';
import type { LogChoices as Choices } from '#features/console/log-choice.ts';
import type { LogAddress } from '#protocol/log-view.ts';
import type { showLogs as ShowLogs } from '#vscode/console/logs.ts';
import type { Answer, Person as People } from '../../../vscode/person.ts';
import { pick, type } from '../../../vscode/answers.ts';

vi.mock('vscode', () => import('#support/fake-vscode.ts'));

let showLogs: typeof ShowLogs;
let LogChoices: typeof Choices;
let Person: typeof People;

beforeAll(async () => {
  vi.resetModules();
  ({ showLogs } = await import('#vscode/console/logs.ts'));
  ({ LogChoices } = await import('#features/console/log-choice.ts'));
  ({ Person } = await import('../../../vscode/person.ts'));
});
afterAll(() => vi.resetModules());

let desk: HandlerDesk;
beforeEach(async () => {
  desk = await openHandlerDesk();
});

/** Chooses a log and answers which one is shown. */
async function chosen(...answers: readonly Answer[]): Promise<LogAddress | undefined> {
  const person = new Person();
  const opened: LogAddress[] = [];
  try {
    const views = { show: (_: unknown, log: LogAddress) => void opened.push(log) };
    await person.answering(async () => showLogs(desk.services, desk.target, views as never), ...answers);
  } finally {
    person.leave();
  }
  return opened[0];
}

describe('choosing a log', () => {
  it('always has a source and a container', async () => {
    const log = await chosen(pick('production'), pick('MAIN'), pick('Follow'));
    expect(log).toEqual({
      ...desk.target,
      title: expect.stringMatching(/ · production · MAIN$/) as string,
      source: 'production',
      container: 'MAIN',
    });
  });

  it('is narrowed to a pod, a branch and a start, in any order', async () => {
    const log = await chosen(
      pick('production'),
      pick('MAIN'),
      pick('From…'),
      pick('Another Time…'),
      type('soon'),
      type('2026-01-02T03:04Z'),
      pick('Branch…'),
      pick('main'),
      pick('Pod…'),
      pick('All Pods'),
      pick('Follow'),
    );
    expect(log).toMatchObject({ branchName: 'main', from: '2026-01-02T03:04:00.000Z' });
    expect(log?.pod).toBeUndefined();
  });

  it('offers a typed container and the last logs again, for this deployment only', async () => {
    await chosen(pick('dev'), pick('Another Container…'), type('shop-server'), pick('Follow'));
    expect(await chosen(pick('dev · shop-server'))).toMatchObject({ source: 'dev', container: 'shop-server' });
    expect(await chosen(pick('production'), pick('shop-server'), pick('Follow'))).toBeDefined();
    const other = { ...desk.target, deploymentId: '2' };
    expect(new LogChoices(desk.memory).last(other)).toEqual([]);
  });

  it('does not follow anything when the user gives up', async () => {
    expect(await chosen(pick('dev'), { escape: true })).toBeUndefined();
    expect(desk.memory.values.size).toBe(0);
  });
});
