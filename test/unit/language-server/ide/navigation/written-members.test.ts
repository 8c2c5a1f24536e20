import { describe, expect, it } from 'vitest';
import type { Connection } from 'vscode-languageserver';
import { OpenDocuments } from '#language-server/documents/documents.ts';
import { answerMemberRequests } from '#language-server/requests/member-requests.ts';
import { Workspace } from '#language-server/workspace/workspace.ts';
import { membersAsWritten } from '#features/language/messages.ts';
import { yaml } from '#support/language/raw.ts';
import { ROOT, Session } from '#support/language/session.ts';

const orders = yaml`
  cubes:
    - name: orders
      sql_table: orders
      dimensions:
        - name: id
          sql: id
          type: number
          primary_key: true
        - name: status
          sql: status
          type: string
        - name: created_at
          sql: created_at
          type: time
        - name: secret
          sql: secret
          type: string
          public: false
      measures:
        - name: count
          type: count
      segments:
        - name: large
          sql: amount > 100
      pre_aggregations:
        - name: main
          measures: [count]
    - name: internal
      sql_table: internal
      public: false
      measures:
        - name: count
          type: count
  views:
    - name: overview
      cubes:
        - join_path: orders
          includes: [count, created_at]
`;

describe('the members of a model as it is written', () => {
  // @shows written-members
  it('are those that queries may name, of cubes and views, with the text of open editors', async () => {
    const session = await Session.start({ 'cubes/orders.yml': orders });
    const ask = async (uri: string): Promise<unknown> => session.client.sendRequest(membersAsWritten, { uri });
    const expected = [
      { name: 'orders.status', kind: 'dimension' },
      { name: 'orders.created_at', kind: 'time' },
      { name: 'orders.count', kind: 'measure' },
      { name: 'orders.large', kind: 'segment' },
      { name: 'overview.count', kind: 'measure' },
      { name: 'overview.created_at', kind: 'time' },
    ];
    expect(await ask(ROOT)).toEqual(expected);
    await session.open('cubes/orders.yml', orders.replace('- name: status', '- name: state'));
    expect(await ask(`${ROOT}/cubes/orders.yml`)).toEqual([
      { name: 'orders.state', kind: 'dimension' },
      ...expected.slice(1),
    ]);
    expect(await ask('file:///elsewhere')).toEqual([]);
    expect(await ask('')).toEqual([]);
    session.dispose();
  });

  it('are answered once the model has been read, to a window that has just opened', async () => {
    const listed = Promise.withResolvers<readonly string[]>();
    const uri = `${ROOT}/cubes/orders.yml`;
    const host = {
      listFiles: () => listed.promise,
      readFile: () => Promise.resolve(orders),
      yield: () => Promise.resolve(),
      now: () => 0,
    };
    const workspace = new Workspace(host, new OpenDocuments());
    let ask: (params: { readonly uri: string }) => Promise<readonly object[]> = () => Promise.resolve([]);
    const connection = { onRequest: (_: string, handler: typeof ask) => void (ask = handler) };
    answerMemberRequests(connection as unknown as Connection, workspace);
    const asked = ask({ uri: ROOT });
    const read = workspace.setRoots([ROOT], new AbortController().signal);
    listed.resolve([uri]);
    await read;
    expect(await asked).toHaveLength(6);
  });
});
