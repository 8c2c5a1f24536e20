import type { DataClient } from '#api/data/data.ts';
import type { SqlBatch } from '#api/data/sql-batches.ts';
import type { TokenBroker } from './token-broker.ts';

/** A connection to a target: its tokens, its client, and its error messages. */
interface Connection {
  readonly broker: TokenBroker;
  readonly clientWith: (token: string | undefined) => DataClient;
  readonly explain: (error: unknown) => unknown;
}

/** Returns a client whose every call gets its token from the broker of a target. */
export function brokeredClient(
  connect: () => Promise<Connection>,
  { mayAsk }: { readonly mayAsk: boolean },
): DataClient {
  const use = async <T>(signal: AbortSignal | undefined, send: (client: DataClient) => Promise<T>): Promise<T> => {
    const { broker, clientWith, explain } = await connect();
    try {
      return await broker.use({ mayAsk, signal }, (token) => send(clientWith(token)));
    } catch (error) {
      throw explain(error);
    }
  };
  return {
    meta: (options) => use(options?.signal, (client) => client.meta(options)),
    load: (query, options) => use(options?.signal, (client) => client.load(query, options)),
    sql: (query, options) => use(options?.signal, (client) => client.sql(query, options)),
    async *cubeSql(statement, options) {
      // A token can only be refused before the first batch.
      const { first, rest } = await use(options?.signal, async (client) => {
        const batches = client.cubeSql(statement, options);
        return { first: await batches.next(), rest: batches };
      });
      if (first.done === true) return;
      yield first.value;
      yield* rest as AsyncIterable<SqlBatch>;
    },
  };
}
