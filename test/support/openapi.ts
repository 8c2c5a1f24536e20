import { Validator } from '@seriousme/openapi-schema-validator';

/**
 * Every problem of an OpenAPI 3.1 document; none means valid. An independent validator judges it against the
 * specification's own schema and follows the references; what that schema leaves to the specification's prose (names
 * that must agree, schemas that must be JSON Schema) is looked for here.
 */
export async function openApiProblems(document: object): Promise<string[]> {
  const { openapi } = document as { readonly openapi?: unknown };
  if (!/^3\.1\.\d+$/.test(String(openapi))) return [`openapi is ${String(openapi)}, not 3.1.x`];
  // The validator writes into what it is given.
  const { valid, errors } = await new Validator().validate(structuredClone(document) as Record<string, unknown>);
  if (!valid) return typeof errors === 'string' ? [errors] : (errors ?? []).map((error) => JSON.stringify(error));
  return [...nameProblems(document), ...schemaProblems(document)];
}

type Json = Readonly<Record<string, unknown>>;

interface Described {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly security?: readonly Json[];
}

interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components?: { readonly securitySchemes?: Json };
}

/** Operation ids that are used twice, parameters that are not those of the path, security schemes that do not exist. */
function nameProblems(document: Document): string[] {
  const problems: string[] = [];
  const ids = new Set<string>();
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(item).filter(([, { operationId }]) => operationId !== undefined)) {
      const at = `${method} ${path}`;
      const { operationId = '', parameters = [], security = [] } = operation;
      if (ids.has(operationId)) problems.push(`${at}: ${operationId} is used twice`);
      ids.add(operationId);
      const declared = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      const wanted = new Set([...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name));
      if (declared.length !== wanted.size || !declared.every((name) => wanted.has(name))) {
        problems.push(`${at}: declares other path parameters (${declared.join(', ')})`);
      }
      const unknown = security
        .flatMap((each) => Object.keys(each))
        .filter((name) => !document.components?.securitySchemes?.[name]);
      problems.push(...unknown.map((name) => `${at}: unknown security scheme ${name}`));
    }
  }
  return problems;
}

const types = new Set<unknown>(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);

/** Keywords of JSON Schema with a value that they cannot have, wherever a schema is. */
function schemaProblems(value: unknown, at = '#', inSchema = false): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = inSchema && !Array.isArray(value) ? keywordProblems(value as Json, at) : [];
  const below = Object.entries(value).flatMap(([key, entry]) => {
    // The names below these are names of fields, not keywords.
    if (inSchema && ['properties', 'patternProperties', '$defs'].includes(key)) {
      return Object.entries(entry as Json).flatMap(([name, each]) =>
        schemaProblems(each, `${at}/${key}/${name}`, true),
      );
    }
    if (['example', 'examples', 'default', 'const', 'enum'].includes(key)) return [];
    return schemaProblems(entry, `${at}/${key}`, inSchema || key === 'schema' || at === '#/components/schemas');
  });
  return [...own, ...below];
}

function keywordProblems(schema: Json, at: string): string[] {
  const { type, required, enum: values, pattern } = schema;
  const problems: string[] = [];
  if (type !== undefined && ![type].flat().every((name) => types.has(name))) problems.push(`${at}: unknown type`);
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string'))) {
    problems.push(`${at}: required is not a list of names`);
  }
  if (values !== undefined && !(Array.isArray(values) && values.length > 0)) problems.push(`${at}: enum is empty`);
  if (pattern !== undefined && !isPattern(pattern)) problems.push(`${at}: pattern is not a regular expression`);
  return problems;
}

function isPattern(pattern: unknown): boolean {
  try {
    return RegExp(String(pattern), 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
