import type { DataQuery } from '#api/data/data.ts';
import { isObject } from '#api/schema.ts';
import type { Widget } from './messages.ts';

/**
 * Returns what a preview shows of a widget. Config is free-form (docs/platform-api.md#dashboard-configuration): every field is
 * optional.
 */
export function faceOf(widget: unknown): Widget {
  const { id, type, config } = isObject(widget) ? widget : {};
  const settings = isObject(config) ? config : {};
  const kind = typeof type === 'string' ? type : '';
  const name = typeof id === 'string' ? id : '';
  const query = kind === 'CHART' ? queryOf(widget) : undefined;
  return {
    id: name,
    type: kind,
    title: textIn(settings, ['title', 'name', 'label']) ?? name,
    says: query ? membersIn(query) : (summaryOf(kind, settings) ?? ''),
    hasQuery: query !== undefined,
  };
}

/** Returns the query in a chart's config, with few rows because it is only a sample. */
export function sampleQuery(widget: unknown): DataQuery | undefined {
  const query = queryOf(widget);
  if (!query) return undefined;
  const limit = typeof query['limit'] === 'number' ? Math.min(query['limit'], sampleRows) : sampleRows;
  return { ...query, limit };
}

const sampleRows = 200;

function queryOf(widget: unknown): DataQuery | undefined {
  const config = isObject(widget) ? widget['config'] : undefined;
  if (!isObject(config)) return undefined;
  const queries = config['queries'];
  const candidates = [config['query'], Array.isArray(queries) ? (queries[0] as unknown) : undefined, config];
  return candidates.find((each): each is DataQuery => isObject(each) && asksForSomething(each));
}

function asksForSomething(query: DataQuery): boolean {
  return ['measures', 'dimensions', 'timeDimensions'].some((key) => {
    const members = query[key];
    return Array.isArray(members) && members.length > 0;
  });
}

function membersIn(query: DataQuery): string {
  const named = ['measures', 'dimensions', 'timeDimensions'].flatMap((key) => {
    const members = query[key];
    return Array.isArray(members) ? members.map((member: unknown) => memberName(member)) : [];
  });
  return named.filter((name) => name !== '').join(', ');
}

function memberName(member: unknown): string {
  if (typeof member === 'string') return member;
  if (!isObject(member) || typeof member['dimension'] !== 'string') return '';
  const { dimension, granularity } = member;
  return typeof granularity === 'string' ? `${dimension} by ${granularity}` : dimension;
}

function summaryOf(type: string, config: Readonly<Record<string, unknown>>): string | undefined {
  switch (type) {
    case 'TEXT':
      return textIn(config, ['text', 'content', 'markdown', 'html', 'value']);
    case 'FILTER':
    case 'TIME_GRAIN':
      return textIn(config, ['member', 'dimension', 'field']);
    case 'AI':
      return textIn(config, ['prompt', 'question', 'text']);
    case 'CHART': {
      const report = config['reportId'] ?? config['report'];
      return typeof report === 'string' || typeof report === 'number'
        ? `Shows report ${report}`
        : 'Its configuration names no query.';
    }
    default:
      return undefined;
  }
}

function textIn(config: Readonly<Record<string, unknown>>, keys: readonly string[]): string | undefined {
  const found = keys.map((key) => config[key]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : undefined;
}
