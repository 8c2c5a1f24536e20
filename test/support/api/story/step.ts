import type { Client } from '#api/client/client.ts';
import type { AnswerOf, Operation, RequestOf } from '#api/operation.ts';
import type { Platform } from '#platform/app.ts';
import type { Row } from '#platform/state/database.ts';

/** The state that the steps of a story share: the platform, clients with different credentials, and values from earlier steps. */
export interface World {
  readonly platform: Platform;
  /** With the unscoped API key. */
  readonly client: Client;
  /** With a service token, for the chat. */
  readonly withToken: Client;
  readonly anonymous: Client;
  /** Whether the platform returns only the fields of the documented API. */
  readonly isBare: boolean;
  /** Ids and names from the responses of earlier steps. */
  readonly known: Map<string, string>;
}

/** One call of an operation with existing objects, and the check that it took effect. */
export interface Step {
  readonly op: Operation;
  readonly play: (world: World) => Promise<unknown>;
  readonly expected: unknown;
}

export interface Telling<Op extends Operation> {
  readonly request: RequestOf<Op> | ((world: World) => RequestOf<Op>);
  /** The expected result; matched with `toMatchObject`. */
  readonly expected: unknown;
  /** Returns the value to check; by default the response. */
  readonly look?: (world: World, answer: AnswerOf<Op>) => unknown;
  readonly as?: (world: World) => Client;
}

/** Creates a step for an operation whose whole response is read. */
export function step<const Op extends Operation>(op: Op, telling: Telling<Op>): Step {
  return {
    op,
    expected: telling.expected,
    play: async (world) => {
      const answer = await clientOf(telling, world).call(op, requestOf(telling, world));
      return telling.look ? telling.look(world, answer) : answer;
    },
  };
}

/** Creates a step for an operation that streams; `look` gets the streamed text. */
export function streamed<const Op extends Operation>(
  op: Op,
  telling: Omit<Telling<Op>, 'look'> & { readonly look: (world: World, text: string) => unknown },
): Step {
  return {
    op,
    expected: telling.expected,
    play: async (world) => {
      const response = await clientOf(telling, world).open(op, requestOf(telling, world));
      return telling.look(world, await response.text());
    },
  };
}

type Asking<Op extends Operation> = Pick<Telling<Op>, 'request' | 'as'>;

const clientOf = <Op extends Operation>({ as }: Asking<Op>, world: World): Client => (as ? as(world) : world.client);

function requestOf<Op extends Operation>({ request }: Asking<Op>, world: World): RequestOf<Op> {
  return typeof request === 'function' ? (request as (world: World) => RequestOf<Op>)(world) : request;
}

/** Returns the platform's row with an id, for effects that no documented response shows. */
export function rowOf(world: World, table: string, column: string, id: string): Row | undefined {
  return world.platform.control.rows()[table]?.find((row) => String(row[column]) === id);
}

/** Returns a value that an earlier step stored. */
export function known(world: World, name: string): string {
  const value = world.known.get(name);
  if (value === undefined) throw new Error(`No earlier step remembered ${name}.`);
  return value;
}
