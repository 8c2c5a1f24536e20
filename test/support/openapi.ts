import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/**
 * Resolves to every problem of an OpenAPI 3.1 document; none means valid. An independent validator checks it against the
 * specification's own schema and follows the references, and an independent engine compiles its schemas. Rules that both leave to
 * the specification's prose (names that must agree) are checked here.
 */
export async function openApiProblems(document: object): Promise<string[]> {
  const { openapi } = document as { readonly openapi?: unknown };
  if (!/^3\.1\.\d+$/.test(String(openapi))) return [`openapi is ${String(openapi)}, not 3.1.x`];
  // The validator modifies its input.
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

/** The members of a description that are checked here. */
interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components?: { readonly schemas?: Json; readonly securitySchemes?: Json };
}

/** Returns duplicate operation ids, parameters that do not match the path, and undefined security schemes. */
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

/** Returns schemas that the engine cannot compile: unknown types and keywords, invalid patterns, dangling references. */
function schemaProblems(document: Document): string[] {
  const compile = schemaCompiler(document);
  return schemasIn(document).flatMap(({ at, schema }) => {
    try {
      compile(schema);
      return [];
    } catch (error) {
      return [`${at}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}

interface Placed {
  readonly at: string;
  readonly schema: object;
}

/** Returns the component schemas, and every value of a key `schema`. */
function schemasIn(value: unknown, at = '#'): Placed[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]: [string, unknown]) => {
    const isSchema = key === 'schema' || at === '#/components/schemas';
    if (isSchema && typeof entry === 'object' && entry !== null) return [{ at: `${at}/${key}`, schema: entry }];
    return schemasIn(entry, `${at}/${key}`);
  });
}

/** Returns a compiler for schemas of a description, which may refer to its components. */
export function schemaCompiler(document: Document): (schema: object) => ValidateFunction {
  const engine = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, validateFormats: false });
  const definitions = document.components?.schemas ?? {};
  return (schema) => {
    const whole = JSON.stringify({ $defs: definitions, ...schema });
    return engine.compile(JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')) as object);
  };
}
