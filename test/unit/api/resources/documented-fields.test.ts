import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Operation } from '#api/operation.ts';
import { operations } from '#api/resources/operations.ts';
import { objectOf, opt } from '#api/schema.ts';
import { documented } from '#platform/modes/documented.ts';
import { leastAnswer, undocumentedFields } from '#support/api/known-fields.ts';
import { root } from '../../../tools/run.ts';

/**
 * What the client knows of answers beyond what is documented. A field that is not documented is an extra: the feature works without
 * it, as the named test shows. An operation that needs such a field is named with the reason.
 */

interface Shown {
  /** Below `test/unit`. */
  readonly file: string;
  readonly test: string;
}

interface Extras {
  readonly operations: readonly string[];
  readonly fields: readonly string[];
  /** The test that shows the feature without these fields. */
  readonly without: Shown;
}

const only = (test: string): Shown => ({ file: 'features/documented-only.test.ts', test });
const played: Shown = {
  file: 'platform/modes/every-operation.test.ts',
  test: 'every operation has its effect, or is refused because it is not documented',
};

const extras: readonly Extras[] = [
  {
    operations: ['listDeployments', 'updateDeployment', 'createDeployment', 'advanceCreationStep', 'resetCreationStep'],
    fields: [
      ...['id', 'name', 'created_at', 'region', 'cloudProvider', 'creationStep', 'releaseChannel'],
      ...['releaseChannelVersion', 'url'],
    ],
    without: only('deployments, their versions, environments and branches have rows'),
  },
  {
    operations: ['listDeployments', 'updateDeployment', 'createDeployment'],
    fields: ['creationMethod'],
    without: {
      file: 'features/folders/upload-consent.test.ts',
      test: 'need a consent where the creation method is %s',
    },
  },
  {
    operations: ['listDeployments', 'updateDeployment', 'createDeployment'],
    fields: ['deployMode'],
    without: {
      file: 'features/history/deploy.test.ts',
      test: 'is left to the platform where the deploy mode is unknown',
    },
  },
  {
    operations: ['listEnvironments'],
    fields: ['branchName'],
    without: only('deployments, their versions, environments and branches have rows'),
  },
  {
    operations: ['commit', 'pull', 'merge', 'mergeToDefault', 'finishUpload', 'connectGithub'],
    fields: ['branchName', 'lastHash', 'message'],
    without: only('a commit is done, at the commit that the list of branches shows'),
  },
  {
    operations: ['getGithubStatus', 'listGithubInstallations', 'listGithubRepositories', 'listGithubBranches'],
    fields: ['connected', 'login', 'id', 'account', 'name', 'owner', 'fullName', 'defaultBranch'],
    without: {
      file: 'features/deployments/vscode/deployments.test.ts',
      test: 'is typed where the platform lists nothing',
    },
  },
  {
    operations: [
      ...['listFolders', 'listReports', 'upsertReportByPublicId', 'connectReportToWorkbook'],
      ...['listWorkbooks', 'upsertWorkbookBySlug', 'duplicateWorkbook'],
    ],
    fields: ['id', 'name', 'data', 'count'],
    without: only('folders and reports have rows'),
  },
  { operations: ['setAiWidgetThread'], fields: ['id', 'publicId'], without: played },
  {
    operations: ['listNotifications', 'createNotification', 'updateNotification'],
    fields: ['name', 'dashboardId', 'dashboardPublicId', 'schedule', 'timezone', 'enabled', 'recipients'],
    without: only('notifications have rows'),
  },
  {
    operations: ['createUser', 'updateUser'],
    fields: ['email', 'firstName', 'lastName', 'picture', 'role', 'status', 'groups'],
    without: played,
  },
  {
    operations: ['bulkUsers'],
    fields: ['type', 'id', 'ok', 'error'],
    without: {
      file: 'features/administration/actions.test.ts',
      test: 'does not count a user as done whom a list of results leaves out',
    },
  },
  {
    operations: ['listUserAttributes', 'createUserAttribute', 'updateUserAttribute'],
    fields: ['name', 'displayName', 'description', 'defaultValue'],
    without: only('the rows of %s have their ids as names'),
  },
  {
    operations: ['listUserAttributeValues', 'upsertUserAttributeValue'],
    fields: ['id', 'userId', 'attributeId', 'name', 'value'],
    without: only('values of user attributes that name no attribute are an error, and not “no values”'),
  },
  {
    operations: ['getTenantSettings', 'updateTenantSettings'],
    fields: ['auditLog', 'maintenanceWindow', 'supportAccess', 'oidc', 'aiBiInterface'],
    without: only('settings that are not shown are not settings, and only what is typed is sent'),
  },
  {
    operations: [
      ...['listOauthIntegrations', 'createOauthIntegration', 'getOauthIntegration', 'updateOauthIntegration'],
      ...['listOidcTokenConfigs', 'createOidcTokenConfig', 'getOidcTokenConfig', 'updateOidcTokenConfig'],
    ],
    fields: [
      ...['name', 'provider', 'clientId', 'authorizationUrl', 'tokenUrl', 'scopes'],
      ...['issuer', 'audience', 'enabled'],
    ],
    without: only('the rows of %s have their ids as names'),
  },
  {
    operations: ['listUserOauthTokens', 'getUserOauthToken'],
    fields: ['integrationId', 'status', 'createdAt', 'expiresAt'],
    without: only('a list of %s that names nothing is an error, and not an empty list'),
  },
  {
    operations: ['listEmbedTenants'],
    fields: ['name', 'id', 'displayName', 'createdAt'],
    without: only('a list of %s that names nothing is an error, and not an empty list'),
  },
  {
    operations: [
      ...['listEmbedTenantUsers', 'listEmbedTenantGroupUsers', 'createEmbedTenantGroup', 'getEmbedTenantGroup'],
      'updateEmbedTenantGroup',
    ],
    fields: ['externalId', 'email', 'displayName', 'name', 'description'],
    without: played,
  },
  {
    operations: ['getEmbedAccess'],
    fields: ['data'],
    without: only('embed access can be set although what is granted is not shown'),
  },
  {
    operations: ['setDashboardEmbedding', 'runPythonReport'],
    fields: ['publicId', 'enabled', 'status', 'output', 'error'],
    without: only('embedding and Python reports are done whatever is answered'),
  },
  {
    operations: ['listScimUsers', 'listScimGroups'],
    fields: ['totalResults', 'startIndex', 'itemsPerPage', 'Resources'],
    without: only('a list of %s that names nothing is an error, and not an empty list'),
  },
  {
    operations: ['getApiDescription'],
    fields: ['openapi', 'info', 'paths'],
    without: {
      file: 'api/capabilities.test.ts',
      test: 'reads anything without failing, and finds nothing in what is not a description',
    },
  },
  {
    operations: ['initiateUserOauthToken', 'startDeviceSignIn', 'pollDeviceSignIn', 'refreshSignIn'],
    fields: [
      ...['url', 'deviceCode', 'userCode', 'verificationUri', 'verificationUriComplete', 'expiresIn', 'interval'],
      ...['accessToken', 'refreshToken', 'tokenType'],
    ],
    without: played,
  },
];

/** Lists that are documented without a block about their pages. */
const pageless: Shown = {
  file: 'api/resources/pagination.test.ts',
  test: 'reads on without a pagination block until a page brings nothing, however small the pages are',
};

/** Operations whose answer must have a field that is not documented, each with the reason. */
const needs: Readonly<Record<string, string>> = {
  getEmbedAccess: 'a list is a list; what is granted can be set without it',
  getApiDescription: 'OpenAPI 3.1; without paths it is no description, and the features do without',
  listUserOauthTokens: 'the paths of the other operations name the integration',
  initiateUserOauthToken: 'the address is what the user opens',
  listEmbedTenants: 'the paths of the other operations name the tenant; where it is not listed it is typed',
  listScimUsers: 'RFC 7644',
  listScimGroups: 'RFC 7644',
  startDeviceSignIn: 'RFC 8628',
  pollDeviceSignIn: 'RFC 8628',
  refreshSignIn: 'RFC 6749',
};

/** Undocumented fields that an operation's schema knows, by their last names. */
function known(op: Pick<Operation, 'id' | 'answer'>): readonly string[] {
  const paths = undocumentedFields(op.answer, documented.operations[op.id]?.answer.json);
  return [...new Set(paths.map((path) => path.split(/[.[\]{}]+/).at(-1) ?? ''))].filter(
    (name) => name !== 'pagination',
  );
}

const listedFor = (id: string): ReadonlySet<string> =>
  new Set(extras.filter((extra) => extra.operations.includes(id)).flatMap(({ fields }) => fields));

const unlisted = (op: Pick<Operation, 'id' | 'answer'>): readonly string[] =>
  known(op).filter((name) => !listedFor(op.id).has(name));

const isReadable = (op: Operation, answer: unknown): boolean =>
  op.answer === undefined || v.safeParse(op.answer, answer).success;

const read = operations.filter(({ answer, answerKind }) => answer !== undefined && answerKind === 'json');

describe('answers', () => {
  it('are known by documented fields and by extras that features do without', () => {
    const wrong = operations.flatMap((op) => unlisted(op).map((name) => `${op.id}: ${name}`));
    expect(wrong, 'neither documented nor listed as an extra').toEqual([]);
  });

  it('have every extra that is listed', () => {
    const fields = new Map(operations.map((op) => [op.id, new Set(known(op))]));
    const stale = extras.flatMap((extra) => [
      ...extra.operations.filter((id) => !extra.fields.some((name) => fields.get(id)?.has(name))),
      ...extra.fields.filter((name) => !extra.operations.some((id) => fields.get(id)?.has(name))),
    ]);
    expect(stale).toEqual([]);
  });

  it('name a test without each extra, which exists', () => {
    const shown = [...extras.map(({ without }) => without), pageless];
    const missing = shown.filter(
      ({ file, test }) => !readFileSync(join(root, 'test/unit', file), 'utf8').includes(`'${test}'`),
    );
    expect(missing).toEqual([]);
  });

  it('can be read when they hold the needed documented fields only, or the reason is named', () => {
    const unreadable = read
      .filter((op) => !isReadable(op, leastAnswer(documented.operations[op.id]?.answer.json)))
      .map(({ id }) => id);
    expect(unreadable.toSorted()).toEqual(Object.keys(needs).toSorted());
  });

  it('would be found wrong with a field that is not listed, and with one that is needed', () => {
    const id = 'getBuildStatus';
    const invented = objectOf({ status: v.string(), startedBy: opt(v.string()) });
    expect(unlisted({ id, answer: invented })).toEqual(['startedBy']);
    const needed = { ...operations.find((op) => op.id === id), answer: objectOf({ startedBy: v.string() }) };
    expect(isReadable(needed as unknown as Operation, leastAnswer(documented.operations[id]?.answer.json))).toBe(false);
  });
});
