import * as api from '#api/resources/upload.ts';
import { finishUpload, startUpload, uploadFile } from '../core/uploads.ts';
import { record } from './record.ts';
import { route } from './route.ts';

export const uploadRoutes = [
  route(api.startUpload, async ({ core, caller, deployment, body }) => ({
    transaction: await startUpload(core, caller, deployment, body.branchName),
  })),

  route(api.uploadFile, async ({ core, caller, deployment, body }) => {
    const bytes = body.file instanceof Blob ? new Uint8Array(await body.file.arrayBuffer()) : body.file;
    await uploadFile(core, caller, deployment, { ...body, bytes });
  }),

  route(api.finishUpload, async (call) => {
    const outcome = await finishUpload(call.core, call.caller, call.deployment, call.body);
    const files = Object.keys(call.body.files).length;
    record(call, 'upload.finished', { branchName: outcome.branchName, files }, call.deployment.id);
    return outcome;
  }),
];
