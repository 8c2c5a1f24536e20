import { isCancelled } from '#base/async.ts';
import { unreachable } from '#base/result.ts';
import type { Client, LostChange, ResolveLostReply, ChangeOutcome } from '#api/client/client.ts';
import { advisedError, changedError, type PlatformError } from '#api/errors.ts';
import { outcomeChecks } from './outcome-checks.ts';
import { answerOfChange } from '#api/client/read-answer.ts';
import { fieldsOf, DeploymentReader } from './reading-again.ts';

/**
 * Finds out the outcome of a change whose reply was lost by reading the platform again: a change must neither be
 * repeated blindly nor be reported as failed although it was made.
 */
export const resolveLostReply: ResolveLostReply = async (lost) => {
  const { op, options, error } = lost;
  // The thread itself shows whether a message arrived.
  if (op.host === 'chat' || op.anonymous) return unlessRetried(lost, error);
  const seen = await (options.checkOutcome?.() ?? checkOutcome(lost)).catch((thrown: unknown) => {
    if (isCancelled(thrown)) throw thrown;
    // A platform that cannot be read now shows nothing.
    return unknown;
  });
  switch (seen.kind) {
    case 'done':
      return answerOfChange(op, seen.answer) ?? unlessRetried(lost, uncertain(error));
    case 'unknown':
      throw uncertain(error);
    case 'notDone':
      return unlessRetried(lost, error.mayBeDone ? notSeen(error) : error);
    default:
      return unreachable(seen);
  }
};

function unlessRetried({ isRetried }: LostChange, error: PlatformError): undefined {
  if (!isRetried) throw error;
}

/** Adds to an error that the change may have been made. */
function uncertain(error: PlatformError): PlatformError {
  if (/may have been done/.test(error.message)) return changedError(error, { mayBeDone: true });
  return advisedError(error, 'It may have been done anyway: refresh and check before you try again.', true);
}

/** Adds to an error that the platform did not show the change when it was read again; it may still appear. */
function notSeen(error: PlatformError): PlatformError {
  return advisedError(
    error,
    'The platform did not show the change when it was asked afterwards: refresh, then try again.',
  );
}

async function checkOutcome({ client, op, request, options }: LostChange): Promise<ChangeOutcome> {
  const params = fieldsOf(request.params);
  const asked = { params, body: fieldsOf(request.body), query: fieldsOf(request.query) };
  return outcomeChecks[op.id]?.(new DeploymentReader(within(client, options.signal), params), asked) ?? unknown;
}

/** Returns a client whose calls are also ended by a signal. */
function within(client: Client, signal: AbortSignal | undefined): Client {
  return {
    call: async (op, request, options) => client.call(op, request, { signal, ...options }),
    open: async (op, request, options) => client.open(op, request, { signal, ...options }),
  };
}

const unknown: ChangeOutcome = { kind: 'unknown' };
