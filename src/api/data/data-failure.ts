import { pauseText } from '#api/client/retry.ts';
import type { OperationFailure, OperationTexts } from '#api/operation.ts';

/** A response outside 2xx from a data API (docs/data-api.md#errors). */
interface DataFailure extends OperationFailure {
  readonly operation: DataOperation;
}

type DataOperation = 'getMeta' | 'loadData' | 'compileSql' | 'runCubeSql';

interface Names {
  /** The request, as named in a sentence. */
  readonly request: string;
  readonly refused: string;
  readonly failed: string;
  /** The advice after a message of the engine or the database. */
  readonly correct: string;
  readonly retry: string;
}

const model = 'Correct the model, or check the log of the server.';
const again = 'Correct the query and run it again.';
const members = 'Check the SQL of its members and the connection of the database.';

const names: Readonly<Record<DataOperation, Names>> = {
  getMeta: {
    request: 'the request for the data model',
    refused: 'refused to read the data model',
    failed: '{host} could not read the data model',
    correct: model,
    retry: model,
  },
  loadData: {
    request: 'the query',
    refused: 'refused the query',
    failed: 'The query failed',
    correct: members,
    retry: again,
  },
  compileSql: {
    request: 'the request for the SQL of the query',
    refused: 'refused to compile the query',
    failed: 'The query could not be compiled',
    correct: 'Check the SQL of its members.',
    retry: again,
  },
  runCubeSql: {
    request: 'the SQL',
    refused: 'refused the SQL',
    failed: 'The SQL failed',
    correct: members,
    retry: again,
  },
};

/** Returns what users read of an operation of the data API. */
export function dataTexts(operation: DataOperation): OperationTexts {
  return {
    request: names[operation].request,
    failure: (failure) => failureText({ ...failure, operation }),
  };
}

function failureText(failure: DataFailure): string {
  const { host, kind, status, serverMessage, retryAfter } = failure;
  switch (kind) {
    case 'auth':
      return `${withServerMessage(`${host} does not accept the token`, serverMessage)} It is wrong or has expired.`;
    case 'forbidden':
      return withServerMessage(`${host} refused the token, or this request with it`, serverMessage);
    case 'notFound':
      return `${withServerMessage(`There is no data API at this address of ${host} (status ${status})`, serverMessage)} Check the address where queries run.`;
    case 'rateLimit':
      return `${withServerMessage(`${host} asks to slow down (status ${status})`, serverMessage)} Try again ${pauseText(retryAfter)}.`;
    case 'timeout':
      return stoppedWaiting(failure);
    case 'server':
      return failedText(failure);
    default:
      return refusedText(failure);
  }
}

function refusedText(failure: DataFailure): string {
  const { operation, host, status, serverMessage } = failure;
  if (status === 413)
    return `${withServerMessage(`${host} does not take a query of this size (status 413)`, serverMessage)} Use fewer members or filter values.`;
  // Engines pass the database's own error on like this; their own texts about a query begin otherwise.
  if (status === 400 && serverMessage?.startsWith('Error: ') === true) return failedText(failure);
  const { refused, retry } = names[operation];
  return serverMessage === undefined
    ? `${host} ${refused} (status ${status}) and gave no reason. ${retry}`
    : `${withServerMessage(`${host} ${refused}`, serverMessage)} ${retry}`;
}

function failedText(failure: DataFailure): string {
  const { operation, host, status, requestId, serverMessage } = failure;
  if (status === 504) return stoppedWaiting(failure);
  if (status === 502 || status === 503)
    return `${withServerMessage(`${host} is not available (status ${status})`, serverMessage)} It may be starting: try again in a moment.`;
  const { request, failed, correct } = names[operation];
  if (serverMessage !== undefined)
    return `${withServerMessage(failed.replace('{host}', host), serverMessage)} ${correct}`;
  const could = operation === 'getMeta' ? `could not read the data model` : `could not answer ${request}`;
  return `${host} ${could} (status ${status}, request ${requestId}) and gave no reason. Try again; if that does not help, check the log of the server.`;
}

function stoppedWaiting({ host, status }: DataFailure): string {
  return `A gateway before ${host} stopped waiting (status ${status}). Ask for less, or try again later.`;
}

/** Appends the server's message, without the stack that engines in development mode add. */
function withServerMessage(happened: string, serverMessage: string | undefined): string {
  const text = serverMessage
    ?.replace(/^(?:Uncaught )?Error: /, '')
    .replace(/\s+at (?:async )?\S+ \(\S+:\d+:\d+\).*$/s, '');
  return text === undefined || text === '' ? `${happened}.` : `${happened}: “${text.replace(/\.$/, '')}”.`;
}
