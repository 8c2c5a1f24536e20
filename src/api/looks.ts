import { isDevBranch, parentOf } from './branches.ts';
import type { Settled } from './client.ts';
import { getWorkbookDashboard } from './dashboards.ts';
import { getEmbedTenantGroup, listEmbedTenantGroupUsers, listEmbedTenants } from './embed.ts';
import { isPlatformError } from './errors.ts';
import { deploymentPages, reportPages } from './lists.ts';
import { getOauthIntegration, listOauthIntegrations, listUserOauthTokens } from './oauth.ts';
import { getOidcTokenConfig, listOidcTokenConfigs } from './oidc.ts';
import { fieldsOf, type Place, rowOf } from './reading-again.ts';
import { listReports } from './reports.ts';
import { getBuildStatus, readEnvVars } from './runtime.ts';
import { isObject } from './schema.ts';
import { readServed, readServedRows, type Served } from './served.ts';
import { getTenantSettings } from './tenant.ts';
import { listUserAttributes, listUserAttributeValues } from './user-attributes.ts';
import { getEmbedAccess, listWorkbooks } from './workbooks.ts';

interface Asked {
  readonly params: Served;
  readonly body: Served;
  readonly query: Served;
}
type Look = (place: Place, asked: Asked) => Promise<Settled>;

const done: Settled = { kind: 'done' };
const notDone: Settled = { kind: 'notDone' };
const unknown: Settled = { kind: 'unknown' };

/** Nothing that can be read shows whether these were done, or their caller looks on its own. */
const unseen: Look = () => Promise.resolve(unknown);

/** How the platform shows that a change was made. Every change has an entry; a test compares them. */
export const looks: Readonly<Record<string, Look>> = {
  createDeployment: unseen,
  updateDeployment: async (place, { body, params }) =>
    sameAs(body, rowOf(await place.rows(deploymentPages), params['deploymentId'])),
  deleteDeployment: async (place, { params }) => absent(await place.rows(deploymentPages), params['deploymentId']),
  createMetadataToken: unseen,
  setEnvVars: async (place, { body, params }) =>
    variables(body['env_variables'], await readEnvVars(place.client, String(params['deploymentId']))),
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

  startDevMode: async (place, { body }) => {
    const own = await keyBranch(place);
    const isAsked = own && [own['name'], parentName(own)].includes(body['branchName']);
    return isAsked ? { kind: 'done', answer: own } : notDone;
  },
  stopDevMode: async (place) => ((await keyBranch(place)) ? notDone : done),
  createBranch: async (place, { body: { name, parentBranch } }) => {
    const found = (await place.branches()).find((each) => each['name'] === name);
    if (!found) return notDone;
    const isOther = parentBranch !== undefined && parentName(found) !== undefined && parentName(found) !== parentBranch;
    return isOther ? notDone : { kind: 'done', answer: found };
  },
  deleteBranch: async (place, { query }) =>
    (await place.branches()).some(({ name }) => name === query['branchName']) ? notDone : done,
  setBranchStagingEnvironment: async (place, { body: { enabled, branchName, branchId } }) => {
    const found = (await place.branches()).find(({ name, id }) => name === branchName || isSame(branchId, id));
    const state = found?.['isStagingEnvironmentEnabled'];
    if (typeof state !== 'boolean') return unknown;
    return state === enabled ? { kind: 'done', answer: { data: found } } : notDone;
  },
  // Their callers know which commits there were before.
  commit: unseen,
  pull: unseen,
  merge: unseen,
  mergeToDefault: unseen,

  upsertReportByPublicId: async (place, { params, body }) =>
    sameAs(body, await place.item(listReports, 'publicId', params['publicId']), notDone),
  connectReportToWorkbook: async (place, { params, body }) => {
    const found = rowOf(await place.rows(reportPages), params['reportId']);
    const placements = found?.['externalWorkbookPlacements'];
    if (!Array.isArray(placements)) return unknown;
    const { externalWorkbookId: workbookId, ...cells } = body;
    return placements.some((each) => isSame({ ...cells, workbookId }, each)) ? done : notDone;
  },
  upsertWorkbookBySlug: async (place, { params, body }) =>
    sameAs(body, await place.item(listWorkbooks, 'slug', params['slug']), notDone),
  duplicateWorkbook: unseen,
  updateWorkbookDashboard: async (place, { params, body }) => {
    const answer = await readServed(place.client, getWorkbookDashboard, { params } as never);
    const settled = sameAs(body, answer);
    return settled.kind === 'done' ? { kind: 'done', answer } : settled;
  },
  publishDashboard: async (place, { params, body }) => {
    const answer = await readServed(place.client, getWorkbookDashboard, { params } as never);
    if (!isSame(answer['dashboardDraft'], answer['dashboardPublished'])) return notDone;
    return body['allowEmbed'] === undefined ? { kind: 'done', answer } : unknown;
  },
  setAiWidgetThread: unseen,
  setEmbedAccess: async (place, { params, body }) => {
    const grants = await readServedRows(place.client, getEmbedAccess, { params } as never);
    return grants.some((grant) => isSame(body, grant)) ? done : unknown;
  },
  bulkDeleteWorkspaceItems: async (place, { body }) => {
    const found = await place.itemsOf(body['items']);
    return told(found.map(({ item, row }) => ({ item, ok: row === undefined })));
  },
  bulkMoveWorkspaceItems: async (place, { body }) => {
    const wanted = body['targetFolderId'] ?? undefined;
    const found = await place.itemsOf(body['items']);
    return told(found.map(({ item, row }) => ({ item, ok: row !== undefined && isSame(wanted, folderOf(item, row)) })));
  },

  createNotification: unseen,
  updateNotification: async (place, { params, body }) => sameAs(body, rowOf(await place.notifications(), params['id'])),
  deleteNotification: async (place, { params }) => absent(await place.notifications(), params['id']),

  createUser: unseen,
  // No operation reads a user whole.
  updateUser: unseen,
  deleteUser: async (place, { params }) => absent(await place.users(), params['id']),
  bulkUsers: async (place, { body }) => {
    const ids = Object.values(body).find((value) => Array.isArray(value)) ?? [];
    const users = await place.users();
    return told(
      (ids as readonly unknown[]).map((id) => ({ item: { id }, ok: isActed(body['action'], rowOf(users, id)) })),
    );
  },
  createUserAttribute: unseen,
  updateUserAttribute: async (place, { params, body }) =>
    sameAs(body, rowOf(await readServedRows(place.client, listUserAttributes, {}), params['id'])),
  upsertUserAttributeValue: async (place, { body: { userId, attributeId, value } }) => {
    const request = { params: { userId } } as never;
    const values = await readServedRows(place.client, listUserAttributeValues, request);
    const found = values.find((each) => isSame(attributeId, each['attributeId']));
    return sameAs({ value }, found ?? { value: null });
  },
  updateTenantSettings: async (place, { body }) => sameAs(body, await readServed(place.client, getTenantSettings, {})),

  createOauthIntegration: unseen,
  updateOauthIntegration: async (place, { params, body }) =>
    sameAs(body, await readServed(place.client, getOauthIntegration, { params } as never)),
  deleteOauthIntegration: async (place, { params }) =>
    absent(await readServedRows(place.client, listOauthIntegrations, {}), params['id']),
  deleteUserOauthToken: async (place, { params }) =>
    absent(await readServedRows(place.client, listUserOauthTokens, {}), params['integrationId'], 'integrationId'),
  initiateUserOauthToken: unseen,
  createOidcTokenConfig: unseen,
  updateOidcTokenConfig: async (place, { params, body }) =>
    sameAs(body, await readServed(place.client, getOidcTokenConfig, { params } as never)),
  deleteOidcTokenConfig: async (place, { params }) =>
    absent(await readServedRows(place.client, listOidcTokenConfigs, {}), params['id']),

  deleteEmbedTenant: async (place, { params }) =>
    absent(await readServedRows(place.client, listEmbedTenants, {}), params['embedTenantName'], 'name'),
  createEmbedTenantGroup: unseen,
  updateEmbedTenantGroup: async (place, { params, body }) =>
    sameAs(body, await readServed(place.client, getEmbedTenantGroup, { params } as never)),
  deleteEmbedTenantGroup: async (place, { params }) =>
    gone(readServed(place.client, getEmbedTenantGroup, { params } as never)),
  addEmbedTenantGroupUsers: async (place, { params, body }) => members(place, params, body, true),
  removeEmbedTenantGroupUsers: async (place, { params, body }) => members(place, params, body, false),
  setDashboardEmbedding: unseen,
  runPythonReport: unseen,
};

/** The dev branch that this key is on, if it is on one. */
async function keyBranch(place: Place): Promise<Served | undefined> {
  const branches = await place.branches();
  const { branchName } = await place.client.call(getBuildStatus, {
    params: { deploymentId: place.deploymentId },
    query: {},
  });
  return branches.find(({ name }) => name === branchName && isDevBranch({ name: String(name) }));
}

const parentName = (branch: Served): string | undefined =>
  parentOf({ name: String(branch['name']), parentBranch: (branch['parentBranch'] ?? undefined) as string | undefined });

/** What became of the members of a group that were to be added or taken out. */
async function members(place: Place, params: Served, body: Served, added: boolean): Promise<Settled> {
  const rows = await readServedRows(place.client, listEmbedTenantGroupUsers, { params } as never);
  const ids = Object.values(body).find((value) => Array.isArray(value)) as readonly unknown[] | undefined;
  if (!ids) return unknown;
  return ids.every((id) => (rowOf(rows, id) !== undefined) === added) ? done : notDone;
}

/** Only secrets cannot be compared: the platform shows a mask, or nothing. */
function variables(sent: unknown, served: readonly Served[]): Settled {
  const wanted = Array.isArray(sent) ? sent.map((each) => fieldsOf(each)) : [];
  const own = new Map(served.map((each) => [each['name'], each]));
  if (wanted.length !== own.size || wanted.some(({ name }) => !own.has(name))) return notDone;
  const other = wanted.filter((each) => !isSame(each, own.get(each['name'])));
  if (other.length === 0) return done;
  return other.every((each) => each['isSecret'] === true) ? unknown : notDone;
}

/** What a user is after a bulk action; actions of a newer platform are its own. */
function isActed(action: unknown, user: Served | undefined): boolean | undefined {
  if (!user || action === 'DELETE') return !user && action === 'DELETE';
  const active = user['active'];
  if (typeof active !== 'boolean' || (action !== 'ACTIVATE' && action !== 'DEACTIVATE')) return undefined;
  return active === (action === 'ACTIVATE');
}

const folderOf = (item: Served, row: Served): unknown =>
  (item['type'] === 'FOLDER' ? row['parentId'] : row['folderId']) ?? undefined;

/** The answer of a bulk operation, made of what is there now. */
function told(items: readonly { readonly item: Served; readonly ok: boolean | undefined }[]): Settled {
  if (items.some(({ ok }) => ok === undefined)) return unknown;
  if (items.every(({ ok }) => !ok)) return notDone;
  const results = items.map(({ item, ok }) => ({ ...item, ok, ...(ok ? {} : { error: notShown }) }));
  return { kind: 'done', answer: { results } };
}

const notShown = 'The reply was lost, and the platform shows no change.';

/** Whether an object shows everything that was sent; a secret is never shown. */
function sameAs(sent: Served, served: Served | undefined, missing: Settled = unknown): Settled {
  if (!served) return missing;
  const fields = Object.entries(sent).filter(([, value]) => value !== undefined);
  const other = fields.filter(([name, value]) => !isSame(value, served[name]));
  if (other.length === 0) return done;
  return other.some(([name]) => Object.hasOwn(served, name)) ? notDone : unknown;
}

/** Platforms add fields, and write ids as numbers and as text; null and missing are the same. */
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

function absent(rows: readonly Served[], value: unknown, field = 'id'): Settled {
  return rows.some((each) => String(each[field]) === String(value)) ? notDone : done;
}

async function gone(reading: Promise<unknown>): Promise<Settled> {
  try {
    await reading;
    return notDone;
  } catch (error) {
    if (isPlatformError(error, 'notFound')) return done;
    throw error;
  }
}
