import type { Operation } from '#api/operation.ts';

/** Whether the response to an operation is needed, beyond its “2xx” status. */
export function needsAnswer(op: Operation): boolean {
  return op.method === 'GET' || op.host === 'chat' || handOut.includes(op.id);
}

/** Operations besides the reading ones whose response is needed: those that return ids or tokens. */
const handOut: readonly string[] = [
  'startDbtSync',
  'createMetadataToken',
  'createDataToken',
  'startDevMode',
  'startUpload',
  'initiateUserOauthToken',
  'pollDeviceSignIn',
  'refreshSignIn',
  'startDeviceSignIn',
];
