import { originOf } from '#base/origin.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { type Client, type ClientOptions, createClient } from '#api/client/client.ts';
import type { AnswerOf, Operation } from '#api/operation.ts';
import { canary, samples } from './samples.ts';

const baseUrl = 'https://acme.example';

/** The origin of the client's server. */
export const ownOrigin = originOf(baseUrl);

export type Handler = (request: Request) => Response | Promise<Response>;

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A client over an in-memory `fetch`, with everything that it sent and logged. */
export class ClientUnderTest {
  readonly clock = new ManualClock();
  readonly sent: Request[] = [];
  readonly logs: LogLine[] = [];
  readonly client: Client;
  handler: Handler;

  constructor(handler: Handler, options: Partial<ClientOptions> = {}) {
    this.handler = handler;
    let id = 0;
    const log =
      (level: string) =>
      (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
        this.logs.push({ level, message, fields });
      };
    this.client = createClient({
      baseUrl,
      chatUrl: baseUrl,
      credential: () => ({ kind: 'bearer', token: canary, origin: ownOrigin }),
      logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
      clock: this.clock,
      random: () => 0.5,
      newRequestId: () => `request-${++id}`,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        this.sent.push(request);
        return this.handler(request);
      },
      ...options,
    });
  }

  /** Calls an operation with its sample request; opens a stream if it has one. */
  sample(op: Operation): Promise<unknown> {
    const request = (samples[op.id]?.request ?? {}) as never;
    const isStream = op.answerKind === 'csv' || op.answerKind === 'ndjson';
    return this.clock.run<unknown>(isStream ? this.client.open(op, request) : this.client.call(op, request));
  }
}

export function json(body: unknown, init: ResponseInit = {}): Response {
  return Response.json(body, init);
}

/** Resolves to the reason with which a promise was rejected. */
export async function thrown(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('It should have failed.');
}

/** Resolves to the result of one operation for a response body, as the client reads it. */
export async function answerTo<const Op extends Operation>(op: Op, body: unknown): Promise<AnswerOf<Op>> {
  const { client } = new ClientUnderTest(() => json(body));
  return client.call(op, (samples[op.id]?.request ?? {}) as never);
}
