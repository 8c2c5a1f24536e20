import type { CommandId } from '#shell/commands/commands.ts';
import type { SettingName } from '#shell/settings.ts';
import type { ViewId } from '#shell/view-ids.ts';

/** The source of a parameter's value. */
export type ParameterPlace =
  /** The user sets it: in a command’s questions or document, in a view, or in a setting. */
  | { readonly by: 'user'; readonly at: CommandId | ViewId | `modelbench.${SettingName}`; readonly as: string }
  /** The product fills it in. */
  | { readonly by: 'product'; readonly how: string }
  /** It is never sent, for a reason; the API Explorer can send it. */
  | { readonly by: 'nobody'; readonly why: string };

const user = (at: Extract<ParameterPlace, { by: 'user' }>['at'], as: string): ParameterPlace => ({
  by: 'user',
  at,
  as,
});
const product = (how: string): ParameterPlace => ({ by: 'product', how });
const nobody = (why: string): ParameterPlace => ({ by: 'nobody', why });

type Places = Readonly<Record<string, ParameterPlace>>;

/** Fields of a document that a command opens: the user edits them under their own names. */
const fields = (at: CommandId, ...names: readonly string[]): Places =>
  Object.fromEntries(names.map((name) => [`body ${name}`, user(at, `field “${name}” of the document`)]));

const branch = product('the branch of the row, else the active dev branch');
const row = product('the selected row');
const file = product('the files of the plan, the save or the editor');

/** Parameters that have the same source in every operation. */
export const commonPlaces: Places = {
  'path deploymentId': product('the deployment of the row, else the shown one'),
  'path workbookId': row,
  'path id': row,
  'path integrationId': row,
  'path embedTenantName': row,
  'query offset': product('the rows that are loaded already'),
  'query limit': product('the size of a page'),
  'query first': product('the size of a page'),
  'query after': product('the cursor of the last page'),
  'query count': product('the size of a page'),
  'query startIndex': product('the rows that are loaded already'),
  'query branchName': branch,
  'body branchName': branch,
};

const recipients = ['userId', 'email', 'username', 'embedTenantName', 'externalId'].map(
  (name) => `recipients[].${name}`,
);
const notification = ['name', 'schedule', 'timezone', 'enabled', ...recipients, 'filters', 'timeGrains'];
const attribute = ['name', 'type', 'displayName', 'description', 'defaultValue'];
const integration = ['name', 'provider', 'clientId', 'clientSecret', 'authorizationUrl', 'tokenUrl', 'scopes'];
const account = ['email', 'firstName', 'lastName', 'role', 'groups'];
const oidc = ['name', 'issuer', 'audience', 'enabled'];
const createdObject = 'modelbench.administration.create';
const openedObject = 'modelbench.administration.open';

const session: Places = {
  'body sessionSettings.externalId': user('modelbench.chat.externalId', 'the setting'),
  'body sessionSettings.internalId': user('modelbench.chat.internalId', 'the setting'),
  ...Object.fromEntries(
    [
      'email',
      'userAttributes[].name',
      'userAttributes[].value',
      'groups',
      'securityContext',
      'isEphemeral',
      'ephemeralTtlSeconds',
    ].map((name) => [
      `body sessionSettings.${name}`,
      user('modelbench.chat.session', `“${name.replace(/\[\]\..*/, '')}” of the setting`),
    ]),
  ),
};
const chatAddress: Places = {
  'path accountName': user('modelbench.chat.url', 'part of the Chat API URL'),
  'path agentId': user('modelbench.chat.url', 'part of the Chat API URL'),
  'path deploymentId': user('modelbench.chat.url', 'part of the Chat API URL'),
};
const turn: Places = {
  ...chatAddress,
  ...session,
  'body input': user('modelbench.chat', 'the question'),
  'body chatId': product('the thread, once the platform has named it'),
  'body messageId': product('made once for a turn'),
  'body activeBranchName': product('the active dev branch, else the deploy branch'),
  'body isDefaultBranch': product('whether that is the deploy branch'),
};
const stop: Places = { ...chatAddress, ...session, 'body chatId': product('the thread of the running answer') };

/** The source of each parameter’s value, by operation; parameters that are missing here are in `commonPlaces`. */
export const parameterPlaces: Readonly<Record<string, Places>> = {
  createDeployment: {
    'body name': user('modelbench.deployment.create', 'name'),
    'body region': user('modelbench.deployment.create', 'region'),
    'body cloudProvider': user('modelbench.deployment.create', 'cloud'),
    'body creationMethod': user('modelbench.deployment.create', 'source of the model'),
    'body deployMode': user('modelbench.deployment.create', 'way of deploying'),
    'body csps': user('modelbench.deployment.create', 'settings of the cloud provider'),
  },
  updateDeployment: {
    'body name': user('modelbench.deployment.changeVersion', '*Rename…*'),
    'body releaseChannelVersion': user('modelbench.deployment.changeVersion', 'version'),
    'body releaseChannel': user('modelbench.deployment.changeVersion', 'channel'),
    'body deployMode': user('modelbench.deployment.changeVersion', '*Deploy Mode…*'),
    'body creationMethod': user('modelbench.deployment.changeVersion', '*Creation Method…*'),
  },
  startDbtSync: { 'body branchName': user('modelbench.deployment.dbtSync', 'branch') },
  listEnvironments: { 'query type': user('modelbench.environment.createToken', '*Only production* and the like') },
  createMetadataToken: {
    'path environmentId': user('modelbench.environment.createToken', 'environment'),
    'body security_context': user('modelbench.environment.createToken', 'security context'),
    'body expires_in': user('modelbench.environment.createToken', 'lifetime'),
  },
  createDataToken: {
    'path environmentId': product('the environment in which the query runs'),
    'body security_context': product('empty'),
    'body expires_in': product('an hour'),
  },
  getLogs: {
    'query source': user('modelbench.deployment.showLogs', '*Source*'),
    'query container': user('modelbench.deployment.showLogs', '*Container*'),
    'query pod': user('modelbench.deployment.showLogs', '*Pod*'),
    'query branchName': user('modelbench.deployment.showLogs', '*Branch*'),
    'query from': user('modelbench.deployment.showLogs', '*From*'),
    'query limit': product('the most lines that are read at once'),
  },
  setEnvVars: fields(
    'modelbench.deployment.editVariables',
    'env_variables[].name',
    'env_variables[].value',
    'env_variables[].isSecret',
  ),
  startDevMode: { 'body branchName': user('modelbench.devMode.start', 'branch') },
  createBranch: {
    'body name': user('modelbench.branch.create', 'name'),
    'body parentBranch': product('the branch of the row, else the deploy branch'),
    'body enterDevMode': user('modelbench.branch.create', '*Create Branch and Start Dev Mode*'),
  },
  setBranchStagingEnvironment: {
    'body enabled': product('*Enable* or *Disable Staging Environment*'),
    'body branchId': nobody('a branch is named by branchName; the documented API allows only one of both'),
  },
  commit: { 'body message': user('modelbench.commit', 'message') },
  merge: {
    'body squashCommits': user('modelbench.merge', '*Squash commits*'),
    'body switchToParentBranch': user('modelbench.merge', '*Switch to the parent branch*'),
    'body deleteBranch': user('modelbench.merge', '*Delete the dev branch*'),
  },
  mergeToDefault: {
    'body message': user('modelbench.mergeToDefault', 'message'),
    'body removeBranchAfterMerge': user('modelbench.mergeToDefault', '*Remove the dev branch after the merge*'),
  },
  listDataModelFiles: { 'query withContent': product('true where the texts are needed') },
  writeDataModelFiles: { 'body files[].path': file, 'body files[].content': file },
  deleteDataModelFiles: { 'body files[].path': file },
  renameDataModelFiles: { 'body files[].path': file, 'body files[].newPath': file },
  validateDataModel: {
    'query devMode': nobody('a branch is named by branchName; the documented API allows one of both'),
  },
  uploadFile: {
    'body transaction': product('as startUpload answered it'),
    'body fileName': file,
    'body file': file,
  },
  finishUpload: {
    'body transaction': product('as startUpload answered it'),
    'body files': product('every file of the branch after the upload'),
    'body autoRemoveFiles': product('true where a deploy deletes ticked files'),
    'body commitMessage': user('modelbench.deploy', 'message'),
  },
  listGithubRepositories: { 'path installationId': user('modelbench.deployment.connectGithub', 'installation') },
  listGithubBranches: {
    'path owner': user('modelbench.deployment.connectGithub', 'repository'),
    'path repo': user('modelbench.deployment.connectGithub', 'repository'),
  },
  connectGithub: {
    'body owner': user('modelbench.deployment.connectGithub', 'repository'),
    'body repo': user('modelbench.deployment.connectGithub', 'repository'),
    'body branch': user('modelbench.deployment.connectGithub', 'branch'),
  },
  listReports: {
    'query sortBy': user('modelbench.workspace.sort', 'order'),
    'query search': user('modelbench.workspace.search', 'what is typed'),
    'query folderId': product('the opened folder'),
    'query externalWorkbookId': user('modelbench.workspace.search', '*Reports of a Spreadsheet…*'),
  },
  listWorkbooks: {
    'query search': user('modelbench.workspace.search', 'what is typed'),
    'query folderId': product('the opened folder'),
  },
  upsertReportByPublicId: {
    'path publicId': user('modelbench.workspace.create', 'public id'),
    ...fields('modelbench.workspace.edit', 'name', 'publicId', 'folderId'),
  },
  upsertWorkbookBySlug: {
    'path slug': user('modelbench.workspace.create', 'slug'),
    ...fields('modelbench.workspace.edit', 'name', 'folderId'),
  },
  connectReportToWorkbook: {
    'path reportId': row,
    'body externalWorkbookId': user('modelbench.workspace.connectSpreadsheet', 'spreadsheet'),
    'body resultLocation': user('modelbench.workspace.connectSpreadsheet', 'first cell'),
    'body endResultCell': user('modelbench.workspace.connectSpreadsheet', 'last cell'),
  },
  duplicateWorkbook: { 'body shared': user('modelbench.workspace.duplicate', '*From the shared workspace*') },
  bulkDeleteWorkspaceItems: { 'body items[].type': row, 'body items[].id': row },
  bulkMoveWorkspaceItems: {
    'body items[].type': row,
    'body items[].id': row,
    'body targetFolderId': user('modelbench.workspace.move', 'folder'),
  },
  setEmbedAccess: {
    'body embedTenantName': user('modelbench.dashboard.embedAccess', 'embed tenant'),
    'body allEmbedUsers': user('modelbench.dashboard.embedAccess', '*All embed users*'),
    'body action': user('modelbench.dashboard.embedAccess', '*Read* or *None*'),
  },
  updateWorkbookDashboard: fields('modelbench.dashboard.open', 'dashboardDraft'),
  publishDashboard: { 'body allowEmbed': user('modelbench.dashboard.publish', '*Publish and Allow Embedding*') },
  setAiWidgetThread: {
    'body widgetId': user('modelbench.dashboard.attachThread', 'widget'),
    'body threadId': user('modelbench.dashboard.attachThread', 'thread'),
    'body checksum': product('the checksum that the widget was read with'),
  },
  setDashboardEmbedding: {
    'path publicId': user('modelbench.dashboard.signedEmbedding', 'public id'),
    'body enabled': user('modelbench.dashboard.signedEmbedding', '*On* or *Off*'),
  },
  runPythonReport: {
    'path publicId': user('modelbench.dashboard.runPython', 'public id'),
    'body reportId': user('modelbench.dashboard.runPython', 'report'),
    'body filters': user('modelbench.dashboard.runPython', 'filters'),
  },
  listNotifications: {
    'query dashboardPublicId': user('modelbench.notification.show', '*By Dashboard…*'),
    'query recipientUserId': user('modelbench.notification.show', '*By User…*'),
    'query recipientEmail': user('modelbench.notification.show', '*By E-mail Address…*'),
    'query recipientEmbedTenantName': user('modelbench.notification.show', '*By Embed User…*'),
    'query recipientExternalId': user('modelbench.notification.show', '*By Embed User…*'),
  },
  createNotification: fields('modelbench.notification.create', 'dashboardId', 'dashboardPublicId', ...notification),
  updateNotification: fields('modelbench.notification.show', ...notification),
  createUser: fields(createdObject, ...account),
  updateUser: fields(openedObject, ...account),
  bulkUsers: {
    'body action': product('*Activate*, *Deactivate* or *Delete*'),
    'body ids': row,
  },
  createUserAttribute: fields(createdObject, ...attribute),
  updateUserAttribute: fields(openedObject, ...attribute),
  listUserAttributeValues: { 'path userId': row },
  upsertUserAttributeValue: {
    'body userId': row,
    'body attributeId': user('modelbench.administration.editValues', 'the attribute’s name in the document'),
    'body value': user('modelbench.administration.editValues', 'its value in the document'),
  },
  updateTenantSettings: fields(openedObject, 'auditLog', 'maintenanceWindow', 'supportAccess', 'oidc', 'aiBiInterface'),
  createOauthIntegration: fields(createdObject, ...integration),
  updateOauthIntegration: fields(openedObject, ...integration),
  initiateUserOauthToken: {
    'body redirectUri': nobody(
      'the platform’s own page ends the flow; another one would have to be allowed there first',
    ),
  },
  createOidcTokenConfig: fields(createdObject, ...oidc),
  updateOidcTokenConfig: fields(openedObject, ...oidc),
  createEmbedTenantGroup: {
    'path embedTenantName': user(createdObject, 'embed tenant'),
    ...fields(createdObject, 'name', 'description'),
  },
  updateEmbedTenantGroup: fields(openedObject, 'name', 'description'),
  getEmbedTenantGroup: { 'path id': user('modelbench.administration.openGroup', 'id') },
  addEmbedTenantGroupUsers: { 'body userIds': user('modelbench.administration.addMembers', 'users') },
  removeEmbedTenantGroupUsers: { 'body userIds': row },
  exportAuditLog: {
    'query start': user('modelbench.audit.export', 'first date'),
    'query end': user('modelbench.audit.export', 'second date'),
    'query search': user('modelbench.audit.export', '*By Text…*'),
    'query eventName': user('modelbench.audit.export', '*By Event…*'),
    'query userEmail': user('modelbench.audit.export', '*By User…*'),
  },
  startDeviceSignIn: {
    'body client_id': product('the extension’s own name'),
    'body scope': nobody('the platform grants what its own client may do; no scopes are documented'),
  },
  pollDeviceSignIn: {
    'body grant_type': product('the grant of RFC 8628'),
    'body device_code': product('as startDeviceSignIn answered it'),
    'body client_id': product('the extension’s own name'),
  },
  refreshSignIn: {
    'body grant_type': product('refresh_token'),
    'body refresh_token': product('the stored token'),
    'body client_id': product('the extension’s own name'),
  },
  streamChatByAgent: turn,
  streamChatByDeployment: turn,
  abortChatByAgent: stop,
  abortChatByDeployment: stop,
};
