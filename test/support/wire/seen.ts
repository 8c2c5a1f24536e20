import type { SentRequest } from './wire.ts';

/** Returns those of the named parameters (such as `getLogs query source`) that were not sent. */
export function unseenOf(parameters: readonly string[], sent: readonly SentRequest[]): readonly string[] {
  return parameters.filter((parameter) => {
    const [id = '', key = ''] = parameter.split(/ (.*)/);
    return !sent.some((request) => request.id === id && has(request, key));
  });
}

/** Whether a request has a parameter, for example `body files[].path`. */
function has(request: SentRequest, key: string): boolean {
  const [position = '', name = ''] = key.split(/ (.*)/);
  if (position === 'path') return name in request.path;
  if (position === 'query') return name in request.query;
  return holds(request.body, name.split('.'));
}

function holds(value: unknown, [step = '', ...rest]: readonly string[]): boolean {
  const name = step.replace(/\[\]$/, '');
  const field = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  if (rest.length === 0) return field !== undefined;
  return step.endsWith('[]') ? Array.isArray(field) && field.some((entry) => holds(entry, rest)) : holds(field, rest);
}
