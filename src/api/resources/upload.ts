import * as v from 'valibot';
import { operation, slow } from '#api/operation.ts';
import { changed, inDeployment, mapOf, objectOf, strictObject, text } from '#api/schema.ts';

const tag = 'Upload';
const sha1 = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/, 'must be a SHA-1 hash in lower-case hexadecimal'));

/** Opens an upload transaction; its opaque `transaction` is sent back unchanged. See docs/platform-api.md#startupload. */
export const startUpload = operation({
  id: 'startUpload',
  method: 'POST',
  path: '/build/api/v1/deployments/{deploymentId}/data-model/upload/start',
  tag,
  summary: 'Start an upload transaction.',
  params: inDeployment,
  body: strictObject({ branchName: v.optional(text) }),
  answer: objectOf({ transaction: v.unknown() }),
});

/**
 * Uploads one file of a transaction as form data; the client writes `transaction` as JSON text. See
 * docs/platform-api.md#uploadfile.
 */
export const uploadFile = operation({
  id: 'uploadFile',
  method: 'POST',
  path: '/build/api/v1/deployments/{deploymentId}/data-model/upload/file',
  tag,
  summary: 'Upload one file of a transaction.',
  timeoutFactor: slow,
  // The same bytes under the same name in the same transaction: sending again changes nothing.
  idempotent: true,
  encoding: 'multipart',
  params: inDeployment,
  body: strictObject({
    transaction: v.unknown(),
    fileName: text,
    file: v.union([v.instance(Uint8Array), v.blob()], 'must be the bytes of the file'),
  }),
});

/**
 * Finishes a transaction in one commit and one build. `files` is the full manifest: with `autoRemoveFiles`, the server
 * deletes files that it does not list. See docs/platform-api.md#finishupload.
 */
export const finishUpload = operation({
  id: 'finishUpload',
  method: 'POST',
  path: '/build/api/v1/deployments/{deploymentId}/data-model/upload/finish',
  tag,
  summary: 'Finish an upload transaction.',
  timeoutFactor: slow,
  params: inDeployment,
  body: strictObject({
    transaction: v.unknown(),
    files: mapOf(text, strictObject({ hash: sha1 })),
    autoRemoveFiles: v.boolean(),
    commitMessage: v.optional(v.string()),
    branchName: v.optional(text),
  }),
  answer: changed({ branchName: v.string(), lastHash: v.string() }),
});
