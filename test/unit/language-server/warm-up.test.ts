import { expect, describe, it } from 'vitest';
import type { Hover } from 'vscode-languageserver';
import { Session } from '#support/language/session.ts';
import { yaml } from '#support/language/raw.ts';

const FILES = {
  'a.yml': yaml`
    cubes:
      - name: a
        sql_table: t
        sql_table: u
  `,
};

interface Run {
  readonly session: Session;
  readonly settled: Promise<void>;
  /** How often the server has let messages in so far. */
  readonly turns: () => number;
}

/** A server that has just read its files, and has not warmed up yet. */
async function start(): Promise<Run> {
  let settle: () => void = () => undefined;
  const settled = new Promise<void>((resolve) => (settle = resolve));
  let turns = 0;
  const session = await Session.start(FILES, {}, [], undefined, {
    onIdle: settle,
    yield: () => {
      turns++;
      return new Promise((resolve) => setImmediate(resolve));
    },
  });
  return { session, settled, turns: () => turns };
}

describe('warming up', () => {
  it('ends, and shows nothing of the model that it types into', async () => {
    const { session, settled, turns } = await start();
    await settled;
    expect(turns()).toBeGreaterThan(100);
    expect([...session.diagnostics.keys()].map((uri) => uri.split('/').at(-1))).toEqual(['a.yml']);
    const symbols = await session.client.sendRequest<readonly { readonly name: string }[]>('workspace/symbol', {
      query: '',
    });
    expect(symbols.map(({ name }) => name)).toEqual(['a']);
    session.dispose();
  });

  it('waits while a request is running', async () => {
    const { session, settled } = await start();
    const order: string[] = [];
    const uri = await session.open('a.yml');
    const answer = session.request<Hover>('textDocument/hover', uri, { position: { line: 2, character: 6 } });
    await Promise.all([answer.then(() => order.push('answer')), settled.then(() => order.push('settled'))]);
    expect(order).toEqual(['answer', 'settled']);
    session.dispose();
  });

  it('leaves the rest to a user who types', async () => {
    const undisturbed = await start();
    await undisturbed.settled;
    const { session, settled, turns } = await start();
    const uri = await session.open('a.yml');
    const at = { line: 2, character: 15 };
    await session.client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ range: { start: at, end: at }, text: 'x' }],
    });
    await settled;
    expect(turns()).toBeLessThan(undisturbed.turns() / 2);
    session.dispose();
    undisturbed.session.dispose();
  });
});
