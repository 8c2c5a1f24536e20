import { isDevBranch, parentOf } from '#api/resources/branches.ts';
import type { ChangeOutcome } from '#api/client/client.ts';
import { getWorkbookDashboard } from '#api/resources/dashboards.ts';
import { getEmbedTenantGroup, listEmbedTenantGroupUsers, listEmbedTenants } from '#api/resources/embed.ts';
import { isPlatformError } from '#api/errors.ts';
import { deploymentPages, reportPages } from '#api/resources/lists.ts';
import { getOauthIntegration, listOauthIntegrations, listUserOauthTokens } from '#api/resources/oauth.ts';
import { getOidcTokenConfig, listOidcTokenConfigs } from '#api/resources/oidc.ts';
import { fieldsOf, type DeploymentReader, rowOf } from './reading-again.ts';
import { listReports } from '#api/resources/reports.ts';
import { getBuildStatus, readEnvVars } from '#api/resources/runtime.ts';
import { isObject } from '#api/schema.ts';
import { readServed, readServedRows, type Served } from '#api/resources/served.ts';
import { getTenantSettings } from '#api/resources/tenant.ts';
import { listUserAttributes, listUserAttributeValues } from '#api/resources/user-attributes.ts';
import { getEmbedAccess, listWorkbooks } from '#api/resources/workbooks.ts';

interface Asked {
  readonly params: Served;
  readonly body: Served;
  readonly query: Served;
}
type OutcomeCheck = (reader: DeploymentReader, asked: Asked) => Promise<ChangeOutcome>;

const done: ChangeOutcome = { kind: 'done' };
const notDone: ChangeOutcome = { kind: 'notDone' };
const unknown: ChangeOutcome = { kind: 'unknown' };

/** For changes that the platform has no way to show, or that their callers check themselves. */
const unseen: OutcomeCheck = () => Promise.resolve(unknown);

/** The checks that show whether a change was made. Every change has an entry; a test compares them. */
export const outcomeChecks: Readonly<Record<string, OutcomeCheck>> = {
  createDeployment: unseen,
  updateDeployment: async (reader, { body, params }) =>
    sameAs(body, rowOf(await reader.rows(deploymentPages), params['deploymentId'])),
  deleteDeployment: async (reader, { params }) => absent(await reader.rows(deploymentPages), params['deploymentId']),
  createMetadataToken: unseen,
  createDataToken: unseen,
  setEnvVars: async (reader, { body, params }) =>
    variables(body['env_variables'], await readEnvVars(reader.client, String(params['deploymentId']))),
  advanceCreationStep: unseen,
  resetCreationStep: unseen,
  startDbtSync: unseen,
  connectGithub: unseen,

  writeDataModelFiles: unseen,
  deleteDataModelFiles: unseen,
  renameDataModelFiles: unseen,
  startUpload: unseen,
  uploadFile: unseen,
  finishUpload: unseen,

  startDevMode: async (reader, { body }) => {
    const own = await keyBranch(reader);
    const isAsked = own && [own['name'], parentName(own)].includes(body['branchName']);
    return isAsked ? { kind: 'done', answer: own } : notDone;
  },
  stopDevMode: async (reader) => ((await keyBranch(reader)) ? notDone : done),
  createBranch: async (reader, { body: { name, parentBranch } }) => {
    const found = (await reader.branches()).find((each) => each['name'] === name);
    if (!found) return notDone;
    const isOther = parentBranch !== undefined && parentName(found) !== undefined && parentName(found) !== parentBranch;
    return isOther ? notDone : { kind: 'done', answer: found };
  },
  deleteBranch: async (reader, { query }) =>
    (await reader.branches()).some(({ name }) => name === query['branchName']) ? notDone : done,
  setBranchStagingEnvironment: async (reader, { body: { enabled, branchName, branchId } }) => {
    const found = (await reader.branches()).find(({ name, id }) => name === branchName || isSame(branchId, id));
    const state = found?.['isStagingEnvironmentEnabled'];
    if (typeof state !== 'boolean') return unknown;
    return state === enabled ? { kind: 'done', answer: { data: found } } : notDone;
  },
  // The caller knows which commits there were before.
  commit: unseen,
  pull: unseen,
  merge: unseen,
  mergeToDefault: unseen,

  upsertReportByPublicId: async (reader, { params, body }) =>
    sameAs(body, await reader.item(listReports, 'publicId', params['publicId']), notDone),
  connectReportToWorkbook: async (reader, { params, body }) => {
    const found = rowOf(await reader.rows(reportPages), params['reportId']);
    const placements = found?.['externalWorkbookPlacements'];
    if (!Array.isArray(placements)) return unknown;
    const { externalWorkbookId: workbookId, ...cells } = body;
    return placements.some((each) => isSame({ ...cells, workbookId }, each)) ? done : notDone;
  },
  upsertWorkbookBySlug: async (reader, { params, body }) =>
    sameAs(body, await reader.item(listWorkbooks, 'slug', params['slug']), notDone),
  duplicateWorkbook: unseen,
  updateWorkbookDashboard: async (reader, { params, body }) => {
    const answer = await readServed(reader.client, getWorkbookDashboard, { params } as never);
    const outcome = sameAs(body, answer);
    return outcome.kind === 'done' ? { kind: 'done', answer } : outcome;
  },
  publishDashboard: async (reader, { params, body }) => {
    const answer = await readServed(reader.client, getWorkbookDashboard, { params } as never);
    if (!isSame(answer['dashboardDraft'], answer['dashboardPublished'])) return notDone;
    return body['allowEmbed'] === undefined ? { kind: 'done', answer } : unknown;
  },
  setAiWidgetThread: unseen,
  setEmbedAccess: async (reader, { params, body }) => {
    const grants = await readServedRows(reader.client, getEmbedAccess, { params } as never);
    return grants.some((grant) => isSame(body, grant)) ? done : unknown;
  },
  bulkDeleteWorkspaceItems: async (reader, { body }) => {
    const found = await reader.itemsOf(body['items']);
    return outcomeOfAll(found.map(({ item, row }) => ({ item, ok: row === undefined })));
  },
  bulkMoveWorkspaceItems: async (reader, { body }) => {
    const wanted = body['targetFolderId'] ?? undefined;
    const found = await reader.itemsOf(body['items']);
    return outcomeOfAll(
      found.map(({ item, row }) => ({ item, ok: row !== undefined && isSame(wanted, folderOf(item, row)) })),
    );
  },

  createNotification: unseen,
  updateNotification: async (reader, { params, body }) =>
    sameAs(body, rowOf(await reader.notifications(), params['id'])),
  deleteNotification: async (reader, { params }) => absent(await reader.notifications(), params['id']),

  createUser: unseen,
  // No operation reads a complete user.
  updateUser: unseen,
  deleteUser: async (reader, { params }) => absent(await reader.users(), params['id']),
  bulkUsers: async (reader, { body }) => {
    const ids = Object.values(body).find((value) => Array.isArray(value)) ?? [];
    const users = await reader.users();
    return outcomeOfAll(
      (ids as readonly unknown[]).map((id) => ({ item: { id }, ok: isActed(body['action'], rowOf(users, id)) })),
    );
  },
  createUserAttribute: unseen,
  updateUserAttribute: async (reader, { params, body }) =>
    sameAs(body, rowOf(await readServedRows(reader.client, listUserAttributes, {}), params['id'])),
  upsertUserAttributeValue: async (reader, { body: { userId, attributeId, value } }) => {
    const request = { params: { userId } } as never;
    const values = await readServedRows(reader.client, listUserAttributeValues, request);
    const found = values.find((each) => isSame(attributeId, each['attributeId']));
    return sameAs({ value }, found ?? { value: null });
  },
  updateTenantSettings: async (reader, { body }) =>
    sameAs(body, await readServed(reader.client, getTenantSettings, {})),

  createOauthIntegration: unseen,
  updateOauthIntegration: async (reader, { params, body }) =>
    sameAs(body, await readServed(reader.client, getOauthIntegration, { params } as never)),
  deleteOauthIntegration: async (reader, { params }) =>
    absent(await readServedRows(reader.client, listOauthIntegrations, {}), params['id']),
  deleteUserOauthToken: async (reader, { params }) =>
    absent(await readServedRows(reader.client, listUserOauthTokens, {}), params['integrationId'], 'integrationId'),
  initiateUserOauthToken: unseen,
  createOidcTokenConfig: unseen,
  updateOidcTokenConfig: async (reader, { params, body }) =>
    sameAs(body, await readServed(reader.client, getOidcTokenConfig, { params } as never)),
  deleteOidcTokenConfig: async (reader, { params }) =>
    absent(await readServedRows(reader.client, listOidcTokenConfigs, {}), params['id']),

  deleteEmbedTenant: async (reader, { params }) =>
    absent(await readServedRows(reader.client, listEmbedTenants, {}), params['embedTenantName'], 'name'),
  createEmbedTenantGroup: unseen,
  updateEmbedTenantGroup: async (reader, { params, body }) =>
    sameAs(body, await readServed(reader.client, getEmbedTenantGroup, { params } as never)),
  deleteEmbedTenantGroup: async (reader, { params }) =>
    gone(readServed(reader.client, getEmbedTenantGroup, { params } as never)),
  addEmbedTenantGroupUsers: async (reader, { params, body }) => members(reader, params, body, true),
  removeEmbedTenantGroupUsers: async (reader, { params, body }) => members(reader, params, body, false),
  setDashboardEmbedding: unseen,
  runPythonReport: unseen,
};

/** Resolves to the dev branch that this key is on, if any. */
async function keyBranch(reader: DeploymentReader): Promise<Served | undefined> {
  const branches = await reader.branches();
  const { branchName } = await reader.client.call(getBuildStatus, {
    params: { deploymentId: reader.deploymentId },
    query: {},
  });
  return branches.find(({ name }) => name === branchName && isDevBranch(String(name)));
}

const parentName = (branch: Served): string | undefined =>
  parentOf({ name: String(branch['name']), parentBranch: (branch['parentBranch'] ?? undefined) as string | undefined });

/** Resolves to the outcome of adding or removing members of a group. */
async function members(reader: DeploymentReader, params: Served, body: Served, added: boolean): Promise<ChangeOutcome> {
  const rows = await readServedRows(reader.client, listEmbedTenantGroupUsers, { params } as never);
  const ids = Object.values(body).find((value) => Array.isArray(value)) as readonly unknown[] | undefined;
  if (!ids) return unknown;
  return ids.every((id) => (rowOf(rows, id) !== undefined) === added) ? done : notDone;
}

/** Compares the variables, except for secrets, which the platform masks or omits. */
function variables(sent: unknown, served: readonly Served[]): ChangeOutcome {
  const wanted = Array.isArray(sent) ? sent.map((each) => fieldsOf(each)) : [];
  const own = new Map(served.map((each) => [each['name'], each]));
  if (wanted.length !== own.size || wanted.some(({ name }) => !own.has(name))) return notDone;
  const other = wanted.filter((each) => !isSame(each, own.get(each['name'])));
  if (other.length === 0) return done;
  return other.every((each) => each['isSecret'] === true) ? unknown : notDone;
}

/** Checks whether a user's state matches a bulk action; `undefined` for unknown actions, such as those of a newer platform. */
function isActed(action: unknown, user: Served | undefined): boolean | undefined {
  if (!user || action === 'DELETE') return !user && action === 'DELETE';
  const active = user['active'];
  if (typeof active !== 'boolean' || (action !== 'ACTIVATE' && action !== 'DEACTIVATE')) return undefined;
  return active === (action === 'ACTIVATE');
}

const folderOf = (item: Served, row: Served): unknown =>
  (item['type'] === 'FOLDER' ? row['parentId'] : row['folderId']) ?? undefined;

/** Builds the response of a bulk operation from the current state. */
function outcomeOfAll(items: readonly { readonly item: Served; readonly ok: boolean | undefined }[]): ChangeOutcome {
  if (items.some(({ ok }) => ok === undefined)) return unknown;
  if (items.every(({ ok }) => !ok)) return notDone;
  const results = items.map(({ item, ok }) => ({ ...item, ok, ...(ok ? {} : { error: notShown }) }));
  return { kind: 'done', answer: { results } };
}

const notShown = 'The reply was lost, and the platform shows no change.';

/** Compares an object with everything that was sent; a secret is never shown. Without an object, the outcome is `missing`. */
function sameAs(sent: Served, served: Served | undefined, missing: ChangeOutcome = unknown): ChangeOutcome {
  if (!served) return missing;
  const fields = Object.entries(sent).filter(([, value]) => value !== undefined);
  const other = fields.filter(([name, value]) => !isSame(value, served[name]));
  if (other.length === 0) return done;
  return other.some(([name]) => Object.hasOwn(served, name)) ? notDone : unknown;
}

/**
 * Checks whether two values are equal: platforms add fields, send ids as numbers or as text, and treat null like a missing field.
 */
function isSame(sent: unknown, served: unknown): boolean {
  if (isObject(sent) && isObject(served)) {
    return Object.entries(sent).every(([name, value]) => isSame(value, served[name]));
  }
  if (Array.isArray(sent) && Array.isArray(served)) {
    return sent.length === served.length && sent.every((each, at) => isSame(each, served[at]));
  }
  if (typeof sent === 'number' || typeof served === 'number') return String(sent) === String(served);
  return (sent ?? null) === (served ?? null);
}

function absent(rows: readonly Served[], value: unknown, field = 'id'): ChangeOutcome {
  return rows.some((each) => String(each[field]) === String(value)) ? notDone : done;
}

async function gone(reading: Promise<unknown>): Promise<ChangeOutcome> {
  try {
    await reading;
    return notDone;
  } catch (error) {
    if (isPlatformError(error, 'notFound')) return done;
    throw error;
  }
}
