import type { Client } from '#api/client.ts';
import type { AnswerOf, Operation, RequestOf } from '#api/operation.ts';
import type { Platform } from '#platform/app.ts';
import type { Row } from '#platform/state/database.ts';

/** What the steps of a story share: the platform, clients with different credentials, and what earlier steps learnt. */
export interface World {
  readonly platform: Platform;
  /** With the unscoped API key. */
  readonly client: Client;
  /** With a service token, for the chat. */
  readonly withToken: Client;
  readonly anonymous: Client;
  /** The platform shows the fields alone that the documented API shows. */
  readonly isBare: boolean;
  /** Ids and names that earlier steps were answered. */
  readonly known: Map<string, string>;
}

/** One call of an operation with what really exists there, and what shows that it had its effect. */
export interface Step {
  readonly op: Operation;
  readonly play: (world: World) => Promise<unknown>;
  readonly expected: unknown;
}

export interface Telling<Op extends Operation> {
  readonly request: RequestOf<Op> | ((world: World) => RequestOf<Op>);
  /** What must be so afterwards; matched as `toMatchObject`. */
  readonly expected: unknown;
  /** What is looked at; by default the answer. */
  readonly look?: (world: World, answer: AnswerOf<Op>) => unknown;
  readonly as?: (world: World) => Client;
}

/** A step of an operation whose whole answer is read. */
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

/** A step of an operation that streams: what is looked at is the text that came. */
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

/** The row that the platform keeps under an id, for effects that no documented answer shows. */
export function rowOf(world: World, table: string, column: string, id: string): Row | undefined {
  return world.platform.control.rows()[table]?.find((row) => String(row[column]) === id);
}

/** What an earlier step remembered. */
export function known(world: World, name: string): string {
  const value = world.known.get(name);
  if (value === undefined) throw new Error(`No earlier step remembered ${name}.`);
  return value;
}
