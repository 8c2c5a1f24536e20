import * as v from 'valibot';
import { operation } from '#api/operation.ts';
import { countIn, cursorListOf, idOut, inDeployment, opt, strictObject, text } from '#api/schema.ts';
import { folderPath } from './workspace.ts';

const folder = v.looseObject({
  id: idOut,
  name: v.string(),
  parentId: opt(idOut),
  folderPath: opt(folderPath),
});
export type Folder = v.InferOutput<typeof folder>;

/** Returns a cursor list. See docs/platform-api.md#listfolders. */
export const listFolders = operation({
  id: 'listFolders',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/folders',
  tag: 'Workspace',
  summary: 'List the folders of the workspace.',
  params: inDeployment,
  query: strictObject({ first: v.optional(countIn), after: v.optional(text) }),
  answer: cursorListOf(folder),
});
