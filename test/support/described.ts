import type { ValidateFunction } from 'ajv/dist/2020.js';
import { schemaCompiler } from './openapi.ts';

interface DescribedOperation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: object }>> }>>;
}

/** Checks real requests and responses against an OpenAPI description, with an independent engine. */
export class Described {
  readonly #paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly #compile: (schema: object) => ValidateFunction;
  readonly #judges = new Map<string, ValidateFunction>();

  constructor(description: object) {
    this.#paths = (
      description as { paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>> }
    ).paths;
    this.#compile = schemaCompiler(description);
  }

  /** Resolves to the violations of the description in an exchange; `body` is the request's text, if it is JSON. */
  async problems(request: Request, body: string | undefined, response: Response): Promise<string[]> {
    const operation = this.#operationOf(request);
    if (operation === undefined) return [`${request.method} ${request.url} is not described`];
    const { operationId, requestBody, responses } = operation;
    const described = responses[String(response.status)];
    if (described === undefined) return [`${operationId} does not describe ${response.status}`];
    const sent = requestBody?.content['application/json']?.schema;
    const answered = described.content?.['application/json']?.schema;
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return [
      ...(sent && body ? this.#judged(`${operationId} request`, sent, JSON.parse(body)) : []),
      ...(answered && isJson ? this.#judged(`${operationId} answer`, answered, await response.json()) : []),
    ];
  }

  #operationOf(request: Request): DescribedOperation | undefined {
    const { pathname } = new URL(request.url);
    const method = request.method.toLowerCase();
    const found = Object.entries(this.#paths).filter(
      ([path, item]) => item[method] && new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(pathname),
    );
    // `/users/bulk` is more specific than `/users/{id}`.
    return found.toSorted(([a], [b]) => a.split('{').length - b.split('{').length)[0]?.[1][method];
  }

  #judged(name: string, schema: object, value: unknown): string[] {
    const judge = this.#judges.get(name) ?? this.#compile(schema);
    this.#judges.set(name, judge);
    if (judge(value)) return [];
    return (judge.errors ?? []).map(({ instancePath, message }) => `${name}: ${instancePath} ${message ?? ''}`);
  }
}
