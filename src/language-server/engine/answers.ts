import type { Candidate, ExactReason, FailedRule, ProposedRollup } from '#model/pre-aggregations/rules.ts';
import type { EngineError, EngineQueryAnswer } from './messages.ts';

// Answers come from the realm in which models run, so only texts and lists of texts are trusted.

const MOST_ERRORS = 10_000;
const LONGEST_MESSAGE = 20_000;
const LONGEST_SQL = 4_000_000;
const MOST_ITEMS = 10_000;

/** Returns the errors that the engine found in a model; throws the reason if the engine failed. */
export function errorsIn(answer: string): readonly EngineError[] {
  return errorList(listIn(answer));
}

/** Returns the list in a realm's answer; throws the reason if the realm failed. */
export function listIn(answer: string): readonly unknown[] {
  const value = valueIn(answer);
  if (!Array.isArray(value)) throw new Error('The engine gave no answer.');
  return value;
}

/** Returns the result of a query; throws the reason if the engine failed. */
export function queryAnswerIn(answer: string): EngineQueryAnswer {
  const value = fields(valueIn(answer));
  switch (value['kind']) {
    case 'refused':
      return { kind: 'refused', errors: errorList(list(value['errors'])) };
    case 'wrong':
      return { kind: 'wrong', message: text(value['message']) };
    case 'compiled': {
      const report = fields(value['preAggregations']);
      return {
        kind: 'compiled',
        sql: text(value['sql'], LONGEST_SQL),
        values: texts(value['values']),
        preAggregations: {
          candidates: list(report['candidates']).map(candidateIn),
          proposed: list(report['proposed']).map(proposedIn),
          obstacles: list(report['obstacles']).map(ruleIn),
        },
      };
    }
    default:
      throw new Error('The engine gave no answer.');
  }
}

function valueIn(answer: string): unknown {
  const parsed = fields(JSON.parse(answer));
  if (parsed['ok'] !== true)
    throw new Error(typeof parsed['reason'] === 'string' ? parsed['reason'] : 'The engine gave no answer.');
  return parsed['value'];
}

function errorList(values: readonly unknown[]): readonly EngineError[] {
  return values.slice(0, MOST_ERRORS).map((value) => {
    const { message, fileName, line, entity, isThrown } = fields(value);
    return {
      message: typeof message === 'string' ? message.slice(0, LONGEST_MESSAGE) : 'The engine refused the model.',
      ...(typeof fileName === 'string' ? { fileName } : {}),
      ...(typeof line === 'number' && line > 0 ? { line } : {}),
      ...(typeof entity === 'string' ? { entity } : {}),
      ...(isThrown === true ? { isThrown } : {}),
    };
  });
}

function candidateIn(value: unknown): Candidate {
  const { id, type, isUsed, failed } = fields(value);
  return { id: text(id), type: text(type), isUsed: isUsed === true, failed: list(failed).map(ruleIn) };
}

function ruleIn(value: unknown): FailedRule {
  const raw = fields(value);
  switch (raw['rule']) {
    case 'measures':
    case 'dimensions':
    case 'timeDimensions':
      return { rule: raw['rule'], missing: texts(raw['missing']) };
    case 'granularity':
      return {
        rule: 'granularity',
        dimension: text(raw['dimension']),
        has: text(raw['has']),
        needs: text(raw['needs']),
      };
    case 'window':
      return { rule: 'window', granularity: text(raw['granularity']) };
    case 'multiplied':
      return { rule: 'multiplied', measures: texts(raw['measures']) };
    case 'shadowed':
      return { rule: 'shadowed', by: text(raw['by']) };
    case 'rows':
    case 'wholePeriods':
    case 'originalSql':
      return { rule: raw['rule'] };
    default:
      return exactRuleIn(raw);
  }
}

function exactRuleIn(raw: Fields): FailedRule {
  const reason = reasonIn(raw['reason']);
  switch (raw['rule']) {
    case 'exactDimensions':
      return { rule: 'exactDimensions', reason, missing: texts(raw['missing']), extra: texts(raw['extra']) };
    case 'exactTime':
      return { rule: 'exactTime', reason, needs: texts(raw['needs']) };
    case 'filters':
      return { rule: 'filters', reason, members: texts(raw['members']) };
    case 'ungroupedTime':
    case 'dateRange':
      return { rule: raw['rule'], reason, dimensions: texts(raw['dimensions']) };
    case 'cumulative':
      return { rule: 'cumulative', reason };
    default:
      return { rule: 'other' };
  }
}

function reasonIn(value: unknown): ExactReason {
  const { kind, measures } = fields(value);
  return { kind: kind === 'multiplied' || kind === 'multiStage' ? kind : 'notAdditive', measures: texts(measures) };
}

function proposedIn(value: unknown): ProposedRollup {
  const { cube, measures, dimensions, segments, timeDimensions, isStrict } = fields(value);
  return {
    cube: text(cube),
    measures: texts(measures),
    dimensions: texts(dimensions),
    segments: texts(segments),
    timeDimensions: list(timeDimensions).map((each) => {
      const { dimension, granularity } = fields(each);
      return { dimension: text(dimension), granularity: text(granularity) };
    }),
    isStrict: isStrict === true,
  };
}

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields => Object(value) as Fields;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, MOST_ITEMS) : []);
const text = (value: unknown, longest = LONGEST_MESSAGE): string =>
  typeof value === 'string' ? value.slice(0, longest) : '';
const texts = (value: unknown): readonly string[] => list(value).map((each) => text(each));
