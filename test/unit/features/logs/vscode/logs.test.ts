import { beforeEach, describe, expect, it, vi } from 'vitest';
import { showLogs, otherLog } from '#features/logs/vscode/logs.ts';
import { LogChoices } from '#features/logs/log-choice.ts';
import { User } from '../../../../vscode/user.ts';
import type { Client } from '#api/client/client.ts';
import { PlatformError } from '#api/errors.ts';
import { listPods } from '#api/resources/runtime.ts';
import { type HandlerDesk, openHandlerDesk } from '#support/handler-desk.ts';
import type { LogAddress } from '#features/logs/messages.ts';
import type { LogField } from '#features/logs/vscode/choose-log.ts';
import type { Answer } from '../../../../vscode/user.ts';
import { pick, type } from '../../../../vscode/answers.ts';

let desk: HandlerDesk;
beforeEach(async () => {
  desk = await openHandlerDesk();
});

/** The log that opens. */
function opened(): LogAddress | undefined {
  const shown: LogAddress[] = [];
  showLogs(desk.services, desk.target, { show: (_, log) => void shown.push(log) });
  return shown[0];
}

/** Changes one thing of the log that opens, and answers which one is followed then. */
async function changed(what: LogField, ...answers: readonly Answer[]): Promise<LogAddress | undefined> {
  const user = new User();
  const log = opened();
  let other: LogAddress | undefined;
  try {
    await user.answering(async () => (other = log && (await otherLog(desk.services, log, what))), ...answers);
  } finally {
    user.leave();
  }
  return other;
}

describe('a log', () => {
  it('opens at once with a source and a container', () => {
    expect(opened()).toEqual({
      ...desk.target,
      title: expect.stringMatching(/ · production · MAIN$/) as string,
      source: 'production',
      container: 'MAIN',
    });
  });

  it('opens as it was followed last, for this deployment only', async () => {
    await changed('source', pick('dev'));
    expect(opened()).toMatchObject({ source: 'dev', container: 'MAIN' });
    const other = { ...desk.target, deploymentId: '2' };
    expect(new LogChoices(desk.memory).last(other)).toEqual([]);
  });

  it('starts at a moment that is typed', async () => {
    const log = await changed('from', pick('Another Time…'), type(''), type('soon'), type('2026-01-02T03:04Z'));
    expect(log).toMatchObject({ source: 'production', from: '2026-01-02T03:04:00.000Z' });
  });

  it('is narrowed to a branch and widened to all pods', async () => {
    expect(await changed('branchName', pick('main'))).toMatchObject({ branchName: 'main' });
    expect(await changed('pod', pick('All Pods'))).not.toHaveProperty('pod');
  });

  it('offers a typed container and the last logs again', async () => {
    await changed('container', pick('Another Container…'), type(' '), type('shop-server'));
    expect(await changed('source', pick('production · shop-server'))).toMatchObject({ container: 'shop-server' });
    expect(await changed('container', pick('shop-server'))).toBeDefined();
  });

  it('takes a typed name where the pods cannot be listed', async () => {
    const { data } = desk.services as unknown as { data: { client: (id: string) => Client } };
    const usual = data.client.bind(data);
    vi.spyOn(data, 'client').mockImplementation((id) => refusing(usual(id)));
    const log = await changed('pod', type('api-0'));
    vi.restoreAllMocks();
    expect(log).toMatchObject({ source: 'production', container: 'MAIN', pod: 'api-0' });
  });

  it('stays where the user gives up', async () => {
    expect(await changed('container', { escape: true })).toBeUndefined();
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
