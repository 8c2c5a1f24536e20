import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Client } from '#api/client.ts';
import { PlatformError } from '#api/errors.ts';
import { listPods } from '#api/runtime.ts';
import { type HandlerDesk, openHandlerDesk } from '#support/handler-desk.ts';
import type { LogChoices as Choices } from '#features/logs/log-choice.ts';
import type { LogAddress } from '#features/logs/messages.ts';
import type { showLogs as ShowLogs } from '#features/logs/vscode/logs.ts';
import type { Answer, Person as People } from '../../../../vscode/person.ts';
import { pick, type } from '../../../../vscode/answers.ts';

vi.mock('vscode', () => import('#support/fake-vscode.ts'));

let showLogs: typeof ShowLogs;
let LogChoices: typeof Choices;
let Person: typeof People;

beforeAll(async () => {
  vi.resetModules();
  ({ showLogs } = await import('#features/logs/vscode/logs.ts'));
  ({ LogChoices } = await import('#features/logs/log-choice.ts'));
  ({ Person } = await import('../../../../vscode/person.ts'));
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

  it('keeps what was chosen where the pods or branches cannot be listed: their names are typed', async () => {
    const { data } = desk.services as unknown as { data: { client: (id: string) => Client } };
    const usual = data.client.bind(data);
    vi.spyOn(data, 'client').mockImplementation((id) => refusing(usual(id)));
    const log = await chosen(pick('production'), pick('MAIN'), pick('Pod…'), type('api-0'), pick('Follow'));
    vi.restoreAllMocks();
    expect(log).toMatchObject({ source: 'production', container: 'MAIN', pod: 'api-0' });
  });

  it('does not follow anything when the user gives up', async () => {
    expect(await chosen(pick('dev'), { escape: true })).toBeUndefined();
    expect(desk.memory.values.size).toBe(0);
  });
});

/** A client whose key may not list pods. */
function refusing(client: Client): Client {
  const refused = new PlatformError({ kind: 'forbidden', operation: listPods.id, message: 'Not with this key.' });
  return {
    ...client,
    call: (op, request, options) =>
      op.id === listPods.id ? Promise.reject(refused) : client.call(op, request, options),
  };
}
