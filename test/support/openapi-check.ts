/**
 * Checks a document against the OpenAPI 3.1 specification, written from the specification alone: it knows nothing of
 * the platform or of the library that makes the document. Answers every problem with its place; none means valid.
 */
export function openApiProblems(document: unknown): string[] {
  const check = new Check(document);
  check.root();
  return check.problems;
}

type Json = Readonly<Record<string, unknown>>;

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);
const itemFields = new Set(['$ref', 'summary', 'description', 'servers', 'parameters']);
const types = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);
const places = new Set(['query', 'header', 'path', 'cookie']);
const schemaLists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const schemaMaps = ['properties', 'patternProperties', '$defs', 'dependentSchemas'] as const;
const schemas = ['items', 'not', 'additionalProperties', 'propertyNames', 'contains', 'if', 'then', 'else'] as const;

class Check {
  readonly problems: string[] = [];
  readonly #document: unknown;
  readonly #ids = new Set<string>();

  constructor(document: unknown) {
    this.#document = document;
  }

  root(): void {
    const root = this.#object(this.#document, '#');
    if (!/^3\.1\.\d+$/.test(String(root['openapi']))) this.#report('#/openapi', 'must be 3.1.x');
    const info = this.#object(root['info'], '#/info');
    for (const field of ['title', 'version']) {
      if (typeof info[field] !== 'string') this.#report(`#/info/${field}`, 'must be text');
    }
    if (root['paths'] === undefined && root['components'] === undefined)
      this.#report('#', 'must have paths or components');
    for (const [path, item] of Object.entries(this.#object(root['paths'] ?? {}, '#/paths'))) this.#path(path, item);
    const components = this.#object(root['components'] ?? {}, '#/components');
    for (const [name, group] of Object.entries(components)) this.#component(name, group);
    this.#security(root['security'], '#/security');
    this.#references(this.#document, '#');
  }

  #path(path: string, value: unknown): void {
    const at = `#/paths/${path}`;
    if (!path.startsWith('/')) this.#report(at, 'must begin with /');
    for (const [name, entry] of Object.entries(this.#object(value, at))) {
      if (methods.has(name)) this.#operation(path, `${at}/${name}`, entry);
      else if (!itemFields.has(name)) this.#report(`${at}/${name}`, 'is not a method');
    }
  }

  #operation(path: string, at: string, value: unknown): void {
    const operation = this.#object(value, at);
    const id = operation['operationId'] ?? at;
    if (typeof id !== 'string' || this.#ids.has(id)) this.#report(at, 'operationId is not a name of its own');
    else this.#ids.add(id);
    const inPath = new Set<string>();
    const seen = new Set<string>();
    for (const [index, parameter] of this.#list(operation['parameters'] ?? [], `${at}/parameters`).entries()) {
      const name = this.#parameter(parameter, `${at}/parameters/${index}`, inPath);
      if (seen.has(name)) this.#report(`${at}/parameters/${index}`, `${name} is declared twice`);
      seen.add(name);
    }
    for (const [, name = ''] of path.matchAll(/\{([^}]+)\}/g)) {
      if (!inPath.delete(name)) this.#report(at, `path parameter ${name} is not declared`);
    }
    for (const name of inPath) this.#report(at, `${name} is not in the path`);
    if (operation['requestBody'] !== undefined) this.#body(operation['requestBody'], `${at}/requestBody`, true);
    this.#responses(operation['responses'], `${at}/responses`);
    this.#security(operation['security'], `${at}/security`);
  }

  #parameter(value: unknown, at: string, inPath: Set<string>): string {
    const parameter = this.#object(value, at);
    const { name, in: place, required, schema, content } = parameter as Record<string, unknown>;
    if (typeof name !== 'string') this.#report(at, 'must have a name');
    if (!places.has(String(place))) this.#report(at, `cannot be in ${String(place)}`);
    if ((schema === undefined) === (content === undefined)) this.#report(at, 'must have either schema or content');
    if (place === 'path') {
      inPath.add(String(name));
      if (required !== true) this.#report(at, 'must be required: it is in the path');
    }
    if (schema !== undefined) this.#schema(schema, `${at}/schema`);
    return `${String(place)} ${String(name)}`;
  }

  #body(value: unknown, at: string, needsContent: boolean): void {
    const body = this.#object(value, at);
    if ('$ref' in body) return;
    if (needsContent && body['content'] === undefined) this.#report(at, 'must have content');
    for (const [type, media] of Object.entries(this.#object(body['content'] ?? {}, `${at}/content`))) {
      if (!/^[\w.+*-]+\/[\w.+*-]+/.test(type)) this.#report(`${at}/content`, `${type} is not a media type`);
      const { schema } = this.#object(media, `${at}/content/${type}`) as { readonly schema?: unknown };
      if (schema !== undefined) this.#schema(schema, `${at}/content/${type}/schema`);
    }
  }

  #responses(value: unknown, at: string): void {
    const responses = this.#object(value, at);
    if (Object.keys(responses).length === 0) this.#report(at, 'must have at least one response');
    for (const [status, response] of Object.entries(responses)) {
      if (!/^(?:default|[1-5](?:\d\d|XX))$/.test(status)) this.#report(at, `${status} is not a status`);
      this.#response(response, `${at}/${status}`);
    }
  }

  #response(value: unknown, at: string): void {
    const response = this.#object(value, at);
    if ('$ref' in response) return;
    if (typeof response['description'] !== 'string') this.#report(at, 'must have a description');
    this.#body(response, at, false);
  }

  #component(name: string, group: unknown): void {
    for (const [key, value] of Object.entries(this.#object(group, `#/components/${name}`))) {
      const at = `#/components/${name}/${key}`;
      if (!/^[\w.-]+$/.test(key)) this.#report(at, 'has characters that a component name cannot have');
      if (name === 'schemas') this.#schema(value, at);
      if (name === 'responses') this.#response(value, at);
      if (name === 'securitySchemes' && typeof this.#object(value, at)['type'] !== 'string')
        this.#report(at, 'must have a type');
    }
  }

  #schema(value: unknown, at: string): void {
    if (typeof value === 'boolean') return;
    const schema = this.#object(value, at);
    this.#keywords(schema, at);
    for (const key of schemaLists) {
      const list = this.#list(schema[key] ?? [], `${at}/${key}`);
      for (const [index, entry] of list.entries()) this.#schema(entry, `${at}/${key}/${index}`);
    }
    for (const key of schemaMaps) {
      const map = this.#object(schema[key] ?? {}, `${at}/${key}`);
      for (const [name, entry] of Object.entries(map)) this.#schema(entry, `${at}/${key}/${name}`);
    }
    for (const key of schemas) if (schema[key] !== undefined) this.#schema(schema[key], `${at}/${key}`);
  }

  #keywords(schema: Json, at: string): void {
    const { type, required, enum: values, pattern } = schema;
    const named: readonly unknown[] = type === undefined ? [] : [type].flat();
    if (!named.every((name) => typeof name === 'string' && types.has(name))) this.#report(at, 'has an unknown type');
    if (required !== undefined && !this.#list(required, at).every((name) => typeof name === 'string')) {
      this.#report(`${at}/required`, 'must be a list of names');
    }
    if (values !== undefined && this.#list(values, at).length === 0) this.#report(at, 'enum is empty');
    if (typeof pattern === 'string') this.#pattern(pattern, at);
  }

  #pattern(pattern: string, at: string): void {
    try {
      RegExp(pattern, 'u').test('');
    } catch {
      this.#report(at, `pattern is not a regular expression: ${pattern}`);
    }
  }

  #security(value: unknown, at: string): void {
    const root = this.#document as { components?: { securitySchemes?: Json } } | null;
    for (const requirement of this.#list(value ?? [], at)) {
      for (const name of Object.keys(this.#object(requirement, at))) {
        if (root?.components?.securitySchemes?.[name] === undefined)
          this.#report(at, `unknown security scheme ${name}`);
      }
    }
  }

  /** Every reference must lead to something inside the document. */
  #references(value: unknown, at: string): void {
    if (typeof value !== 'object' || value === null) return;
    const { $ref: reference } = value as { readonly $ref?: unknown };
    if (typeof reference === 'string' && this.#resolve(reference) === undefined)
      this.#report(at, `${reference} leads nowhere`);
    for (const [key, entry] of Object.entries(value)) this.#references(entry, `${at}/${key}`);
  }

  #resolve(reference: string): unknown {
    if (!reference.startsWith('#/')) return undefined;
    const steps = reference
      .slice(2)
      .split('/')
      .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
    return steps.reduce<unknown>((at, step) => (at as Json | undefined)?.[step], this.#document);
  }

  #object(value: unknown, at: string): Json {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
    this.#report(at, 'must be an object');
    return {};
  }

  #list(value: unknown, at: string): readonly unknown[] {
    if (Array.isArray(value)) return value;
    this.#report(at, 'must be a list');
    return [];
  }

  #report(at: string, problem: string): void {
    this.problems.push(`${at} ${problem}`);
  }
}
