import { own } from '#base/own.ts';
import { capitalized } from '#base/words.ts';
import type { JsonPath } from '#shell/json-text.ts';
import type { JsonSchema } from '#shell/request-schema.ts';
import { schemaAt } from './form-schema.ts';

/** Words in field names with a spelling of their own. */
const spelled: Readonly<Record<string, string>> = {
  ai: 'AI',
  api: 'API',
  bi: 'BI',
  id: 'ID',
  idp: 'IdP',
  ids: 'IDs',
  ip: 'IP',
  oauth: 'OAuth',
  oidc: 'OIDC',
  saml: 'SAML',
  scim: 'SCIM',
  sql: 'SQL',
  sso: 'SSO',
  uri: 'URI',
  url: 'URL',
};

const questions = new Set(['is', 'has']);

/** Returns the label of a field: `firstName` is “First name”, `isSecret` is “Secret”, `tokenUrl` is “Token URL”. */
export function fieldLabel(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
  const [first = '', ...rest] = words;
  const meant = rest.length > 0 && questions.has(first) ? rest : words;
  return capitalized(meant.map((word) => own(spelled, word) ?? word).join(' '));
}

/** Returns the label of the field at a path of a document: its title in the schema, or one made from its name. */
export function labelAt(schema: JsonSchema, path: JsonPath): string {
  const { title } = schemaAt(schema, path);
  return typeof title === 'string' ? title : fieldLabel(String(path.at(-1) ?? ''));
}
