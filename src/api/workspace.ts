import * as v from 'valibot';
import { operation } from './operation.ts';
import { answering, idIn, idOut, inDeployment, isObject, opt, strictObject } from './schema.ts';

const tag = 'Workspace';

export const workspaceItemTypes = ['FOLDER', 'WORKBOOK', 'REPORT'] as const;

/** One step of the chain of folders above an item (management 2.8). */
export const folderPath = v.array(v.looseObject({ id: idOut, name: opt(v.string()) }));

const items = v.pipe(
  v.array(
    strictObject({
      type: v.picklist(workspaceItemTypes, `must be one of ${workspaceItemTypes.join(', ')}`),
      id: idIn,
    }),
  ),
  v.minLength(1, 'must name at least one item'),
);

/** What became of each item: one that failed does not stop the others (management 4.11). */
const results = answering(
  v.looseObject({
    results: v.array(v.looseObject({ type: opt(v.string()), id: idOut, ok: v.boolean(), error: opt(v.string()) })),
  }),
  (value) =>
    isObject(value) && value['results'] === undefined && Array.isArray(value['data'])
      ? { ...value, results: value['data'] }
      : value,
);

/** Management 4.11; failures are per item. */
export const bulkDeleteWorkspaceItems = operation({
  id: 'bulkDeleteWorkspaceItems',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workspace/bulk-delete',
  section: 'management 4.11',
  tag,
  summary: 'Delete folders, workbooks and reports.',
  answerKind: 'json',
  params: inDeployment,
  body: strictObject({ items }),
  answer: results,
});

/** Management 4.11; failures are per item. A null target is the top of the workspace. */
export const bulkMoveWorkspaceItems = operation({
  id: 'bulkMoveWorkspaceItems',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workspace/bulk-move',
  section: 'management 4.11',
  tag,
  summary: 'Move folders, workbooks and reports to a folder.',
  answerKind: 'json',
  params: inDeployment,
  body: strictObject({ items, targetFolderId: v.nullable(idIn) }),
  answer: results,
});
