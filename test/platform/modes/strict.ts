import { type DocumentedAnswer, type NamedOperation, operationAt } from './documented.ts';
import { type Answered, isDone, type Mode, refusal } from './mode.ts';
import { fieldProblems, fieldType, isRecord, type Json, onlyDocumented, problemsOf, reading } from './types.ts';

/** Only what the documented API lists: operations, parameters, fields, content types, and no conditional requests. */
export const strict: Mode = strictly(true);

/** As `strict`; where the documented API shows a part of the fields, only these, and none where they show none. */
export const bare: Mode = strictly(false);

function strictly(keepOpen: boolean): Mode {
  return {
    ask: (asked) => {
      const { operation } = asked;
      if (operation === undefined || operation.diamond === true) return refusal(404, 'Not found');
      const [problem] = [...queryProblems(operation, asked.url), ...bodyProblems(operation, asked.json)];
      if (problem !== undefined) return refusal(400, problem);
      return { ...asked, headers: without(asked.headers, conditional) };
    },
    answer: (operation, answered) => {
      const headers = without(answered.headers, undocumentedHeaders);
      return { ...answeredStrictly(operation, answered, keepOpen), headers };
    },
    line: (operation, line) => {
      const { json } = operation.answer;
      // The document names two messages of the stream that are neither a user message nor an assistant message.
      const isKnown = isRecord(line) && !/^__(?!cutoff__|state__)/.test(String(line['id']));
      return json === undefined || !isKnown ? [] : [onlyDocumented(json, line, keepOpen)];
    },
  };
}

const conditional: readonly string[] = ['if-match', 'if-none-match'];
const undocumentedHeaders: readonly string[] = ['etag', 'last-modified', 'x-request-id'];

function without(headers: Headers, names: readonly string[]): Headers {
  const left = new Headers(headers);
  for (const name of names) left.delete(name);
  return left;
}

function queryProblems({ query = {} }: NamedOperation, url: URL): readonly string[] {
  const values = Object.fromEntries(
    [...url.searchParams].map(([name, text]) => [name, typed(fieldType(query, name), text)] as const),
  );
  return fieldProblems(query, values, '', false);
}

/** The text of a query as its documented type reads it. */
function typed(type: ReturnType<typeof fieldType>, text: string): unknown {
  const found = type === undefined ? undefined : reading(type);
  if (found?.kind !== 'plain') return text;
  if (found.name === 'integer' || found.name === 'number') return Number(text);
  return found.name === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}

function bodyProblems({ body }: NamedOperation, json: unknown): readonly string[] {
  if (body === undefined || body.contentType !== undefined || json === undefined) return [];
  if (typeof body.fields === 'string') return problemsOf(body.fields, json);
  if (!isRecord(json)) return ['the body must be an object'];
  return fieldProblems(body.fields, json, '', body.open === true);
}

function answeredStrictly(operation: NamedOperation, answered: Answered, keepOpen: boolean): Answered {
  const { answer } = operation;
  if (!isDone(answered)) return { ...answered, json: errorBody(operation, answered.json) };
  if (operation.path.startsWith('{chat}')) return answered;
  if (answer.form === '2xx' || answer.status === '204') return { ...answered, status: 204, json: undefined, text: '' };
  if (answered.json === undefined) return answered;
  return { ...answered, json: documentedJson(operation, answer, answered.json, keepOpen) };
}

function documentedJson({ id }: NamedOperation, answer: DocumentedAnswer, json: unknown, keepOpen: boolean): unknown {
  if (id === 'getApiDescription') return documentedPaths(json);
  return answer.json === undefined ? {} : onlyDocumented(answer.json, json, keepOpen);
}

/** `{error}` and nothing else; a Git conflict may name its paths (docs/platform-api.md#git-steps). */
function errorBody({ refuses }: NamedOperation, json: unknown): Json {
  const shape = refuses?.['409'] === 'Conflict' ? 'Conflict' : 'Error';
  return onlyDocumented(shape, json, false) as Json;
}

/** The description of a server that has the documented operations only. */
function documentedPaths(json: unknown): unknown {
  if (!isRecord(json) || !isRecord(json['paths'])) return json;
  const paths = Object.entries(json['paths']).map(([path, item]) => {
    const methods = Object.entries(item as Json).filter(([method]) => !isUndocumented(path, method));
    return [path, Object.fromEntries(methods)] as const;
  });
  return { ...json, paths: Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0)) };
}

function isUndocumented(path: string, method: string): boolean {
  const operation = operationAt(method.toUpperCase(), path);
  return operation?.diamond === true;
}
