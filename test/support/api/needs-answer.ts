import type { Operation } from '#api/operation.ts';

/** Whether a “2xx” alone says too little. */
export function needsAnswer(op: Operation): boolean {
  return op.method === 'GET' || op.host === 'chat' || handOut.includes(op.id);
}

/** Operations whose answer says more than that they were done: everything that reads, and what hands out ids or tokens. */
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
