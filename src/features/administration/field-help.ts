import type { JsonSchema } from '#shell/request-schema.ts';
import type { RowType } from './rows.ts';

type Help = Readonly<Record<string, string>>;

/**
 * The meaning of the fields of administration documents, as far as it is documented (docs/platform-api.md#users-and-attributes).
 */
const help: Readonly<Partial<Record<RowType | 'notification', Help>>> = {
  user: {
    email: 'The user’s e-mail address, which they sign in with.',
    firstName: 'The user’s first name.',
    lastName: 'The user’s last name.',
    role: 'The name of a role of this account.',
    groups: 'Names of the groups that the user is a member of.',
  },
  attribute: {
    name: 'The name that models and policies use for this attribute.',
    type: 'What kind of values users can have; an array holds several.',
    displayName: 'The name that users see.',
    description: 'What the attribute is for.',
    defaultValue: 'The value for users who have none of their own. Null means no default.',
  },
  tenantSettings: {
    auditLog: 'Whether the audit log records what users do.',
    maintenanceWindow: 'Whether the platform is updated only in a maintenance window.',
    supportAccess: 'Whether the platform’s support may access this account.',
    oidc: 'Whether users can sign in through OpenID Connect (OIDC).',
    aiBiInterface: 'Whether users see the AI and BI interface.',
  },
  oauthIntegration: {
    name: 'The name that users see when they connect their account.',
    provider: 'The service that the integration signs in to.',
    clientId: 'The id that the provider gave this integration.',
    clientSecret: 'The secret that the provider gave this integration. It is sent, and never shown again.',
    authorizationUrl: 'The provider’s address where users allow access.',
    tokenUrl: 'The provider’s address where tokens are issued.',
    scopes: 'What the integration asks users to allow.',
  },
  oidcConfig: {
    name: 'A name for this configuration.',
    issuer: 'The address of the issuer whose tokens are accepted.',
    audience: 'The audience that a token must name.',
    enabled: 'Whether tokens of this configuration are accepted.',
  },
  notification: {
    name: 'The name of the notification.',
    dashboardId: 'The id of the dashboard that is sent, unless its public id is given.',
    dashboardPublicId: 'The public id of the dashboard that is sent, unless its id is given.',
    schedule: 'When it is sent, as a cron expression: “0 8 * * 1-5” is 8:00 on working days.',
    timezone: 'The time zone of the schedule, such as Europe/Berlin.',
    enabled: 'Whether it is sent.',
    recipients: 'The recipients, each named by one of these fields.',
    filters: 'Filters of the dashboard for this notification.',
    timeGrains: 'Time grains of the dashboard for this notification.',
  },
  embedGroup: {
    name: 'The name of the group within its embed tenant.',
    description: 'What the group is for.',
  },
};

/**
 * Adds descriptions to the fields of a schema, for hovers. In a new document, an optional field may stay blank and is then not
 * sent (`blanks`: the initial values).
 */
export function withHelp(
  schema: JsonSchema,
  type: keyof typeof help,
  blanks: Readonly<Record<string, unknown>> = {},
): JsonSchema {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  const explained = Object.entries(properties).map(([name, own]) => {
    // The server’s own description comes first.
    const description = own['description'] === undefined ? help[type]?.[name] : own['description'];
    const mayBeBlank = blanks[name] === '' && !required.includes(name);
    const rule = mayBeBlank ? { anyOf: [{ const: '' }, own] } : own;
    return [name, { ...rule, ...(description === undefined ? {} : { description }) }];
  });
  return { ...schema, properties: Object.fromEntries(explained) as JsonSchema };
}
