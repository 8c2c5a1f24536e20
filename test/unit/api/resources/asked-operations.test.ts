import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '#api/resources/operations.ts';
import { operationEffect } from '#features/api-explorer/effects.ts';
import { gatedRequests } from '#features/api-explorer/gated-request.ts';
import { callOf, unaskedPaths } from '#support/api/asked-callers.ts';
import { root } from '../../../tools/run.ts';

/**
 * Operations that replace or delete what others use, or show it to them, and pass no gate: whatever starts one asks before, with the
 * name of its target.
 */
const asked = [
  ...['setBranchStagingEnvironment', 'publishDashboard', 'setEmbedAccess', 'setDashboardEmbedding'],
  ...['bulkDeleteWorkspaceItems', 'deleteNotification', 'bulkUsers', 'deleteUser', 'deleteOauthIntegration'],
  ...['deleteUserOauthToken', 'deleteOidcTokenConfig', 'deleteEmbedTenant', 'deleteEmbedTenantGroup'],
  'removeEmbedTenantGroupUsers',
];

const settings = 'settings-operations.test.ts follows its callers';
const saved = 'it is sent when the user saves the document that shows its target';

/** Why nothing asks before the others. */
const unasked: Readonly<Record<string, string>> = {
  deleteDeployment: settings,
  updateDeployment: settings,
  setEnvVars: settings,
  resetCreationStep: settings,
  stopDevMode: 'the branch stays as it is',
  bulkMoveWorkspaceItems: 'it is undone by a button',
  connectReportToWorkbook: 'the user picks the report and the workbook',
  upsertReportByPublicId: saved,
  upsertWorkbookBySlug: saved,
  updateWorkbookDashboard: saved,
  updateNotification: saved,
  updateUser: saved,
  updateUserAttribute: saved,
  upsertUserAttributeValue: saved,
  updateTenantSettings: saved,
  updateOauthIntegration: saved,
  updateOidcTokenConfig: saved,
};

const sources = new Map(
  globSync('src/**/*.{ts,tsx}', { cwd: root }).map((path) => [
    path.replaceAll('\\', '/'),
    readFileSync(join(root, path), 'utf8'),
  ]),
);
const isDescription = (path: string): boolean =>
  path.startsWith('src/api/') || path === 'src/features/api-explorer/effects.ts';

describe('the operations that replace or delete something', () => {
  it('are each gated, asked about, or unasked for a reason', () => {
    const destroying = operations.filter((op) => operationEffect(op) === 'destroys').map(({ id }) => id);
    const known = new Set([...Object.keys(gatedRequests), ...asked, ...Object.keys(unasked)]);
    expect(destroying.filter((id) => !known.has(id))).toEqual([]);
    const ids = new Set(operations.map(({ id }) => id));
    expect([...known].filter((id) => !ids.has(id))).toEqual([]);
    expect(asked.filter((id) => id in unasked || id in gatedRequests)).toEqual([]);
  });

  it.each(asked)('are sent by something, and after a question that names the target: %s', (id) => {
    const senders = [...sources].filter(([path, text]) => !isDescription(path) && callOf(id).test(text));
    expect(senders).not.toEqual([]);
    expect(unaskedPaths(id, sources, isDescription)).toEqual([]);
  });
});

/** Faces that a hurried change could add. */
const planted = {
  'a code lens': 'export async function face(data, target) {\n  await setStaging({ data }, target, true);\n}\n',
  'a link that asks afterwards':
    'export async function face(data, target) {\n  await setStaging({ data }, target, true);\n  await confirm({ title: `${target.branchName}?` });\n}\n',
  'a button whose question names nothing':
    'export async function face(data, target) {\n  if (!(await confirm({ title: `Really?` }))) return;\n  await setStaging({ data }, target, true);\n}\n',
  'a handler in a table': 'export const face = {\n  run: async (target) => setStaging(deps, target, true),\n};\n',
} as const;

describe('a new face of such an operation', () => {
  const path = 'src/features/branches/vscode/new-face.ts';
  const head = "import { setStaging } from '#features/branches/dev-mode.ts';\n";

  it.each(Object.entries(planted))('is found: %s', (_name, body) => {
    const files = new Map([...sources, [path, head + body]]);
    expect(unaskedPaths('setBranchStagingEnvironment', files, isDescription)).toEqual([`${path} face`]);
  });

  it('is found behind another function, and under another name', () => {
    const lib = 'export async function quick(data, target) {\n  await switchOn({ data }, target, true);\n}\n';
    const files = new Map([
      ...sources,
      [path, head.replace('setStaging', 'setStaging as switchOn') + lib],
      [
        'src/compose/b.ts',
        "import { quick } from '#features/branches/vscode/new-face.ts';\nfunction status() {\n  void quick(data, target);\n}\n",
      ],
    ]);
    expect(unaskedPaths('setBranchStagingEnvironment', files, isDescription)).toEqual(['src/compose/b.ts status']);
  });

  it('is accepted where it asks by name', () => {
    const body =
      'export async function face(data, target) {\n  if (!(await confirm({ title: `Enable “${target.branchName}”?` }))) return;\n  await setStaging({ data }, target, true);\n}\n';
    const files = new Map([...sources, [path, head + body]]);
    expect(unaskedPaths('setBranchStagingEnvironment', files, isDescription)).toEqual([]);
  });
});
