import type { Candidate, ExactReason, FailedRule } from './rules.ts';

/** Returns the reasons why a pre-aggregation does not serve a query, in a sentence for each rule. */
export function candidateTexts({ failed }: Candidate): readonly string[] {
  return failed.map((rule) => ruleText(rule));
}

/** Describes what a rule requires, and what it found instead. */
export function ruleText(rule: FailedRule): string {
  switch (rule.rule) {
    case 'measures':
      return `It does not have ${named('measure', rule.missing)}.`;
    case 'dimensions':
      return `It does not have ${named('dimension', rule.missing)}, which the query groups or filters by.`;
    case 'timeDimensions':
      return `It is not grouped by ${named('time dimension', rule.missing)}.`;
    case 'granularity':
      return `It is grouped by ${rule.has}, and the query needs ${rule.dimension} by ${rule.needs}: its grouping or its date range does not consist of whole ${rule.has}s.`;
    case 'window':
      return `The query has a rolling window, which needs the time by exactly ${rule.granularity}.`;
    case 'multiplied':
      return `Its joins repeat rows, so that ${named('measure', rule.measures)} would be counted more than once.`;
    case 'rows':
      return 'The query asks for rows that are not grouped: it needs the primary keys of exactly the cubes of the query.';
    case 'shadowed':
      return `It would serve the query as well, but “${rule.by}” comes first in the model.`;
    case 'wholePeriods':
      return 'Its periods are counted whole, also those of which the date range has only a part. With “allow_non_strict_date_range_match: false” it would not be used here.';
    case 'originalSql':
      return 'It stores the SQL of its cube. Only other pre-aggregations are built from it.';
    case 'other':
      return 'The engine does not use it, for a reason that is not one of the rules known here.';
    default:
      return exactText(rule);
  }
}

type ExactRule = Extract<FailedRule, { readonly reason: ExactReason }>;

function exactText(rule: ExactRule): string {
  const because = reasonText(rule.reason);
  switch (rule.rule) {
    case 'exactDimensions': {
      const more = rule.missing.length > 0 ? [`it lacks ${codes(rule.missing)}`] : [];
      const less = rule.extra.length > 0 ? [`it also has ${codes(rule.extra)}`] : [];
      const wrong = [...more, ...less].join(' and ') || 'it lists them in another order';
      return `${because}, so it must have exactly the dimensions of the query: ${wrong}.`;
    }
    case 'exactTime':
      return rule.needs.length === 0
        ? `${because}, so it must not be grouped by time, as the query is not.`
        : `${because}, so it must be grouped by exactly ${codes(rule.needs)}.`;
    case 'filters':
      return `${because}, and the query is filtered by ${codes(rule.members)} without grouping by it. Group by it as well, or filter by one value with “equals”.`;
    case 'ungroupedTime':
      return `${because}, and the query has a date range for ${codes(rule.dimensions)} without a granularity. Group it by time, or take the range away.`;
    case 'dateRange':
      return `${because}, and the date range for ${codes(rule.dimensions)} does not consist of whole periods of its granularity.`;
    default:
      return `${because}, so its rolling window cannot be made of stored rows.`;
  }
}

function reasonText({ kind, measures }: ExactReason): string {
  const all = codes(measures);
  switch (kind) {
    case 'multiplied':
      return `A join of the query repeats rows of ${all}, which therefore cannot be added up`;
    case 'multiStage':
      return `${all} ${are(measures)} calculated in several stages and cannot be added up`;
    default:
      return `${all} cannot be added up`;
  }
}

const are = (names: readonly string[]): string => (names.length === 1 ? 'is' : 'are');
const codes = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ');
const named = (kind: string, names: readonly string[]): string =>
  `the ${kind}${names.length === 1 ? '' : 's'} ${codes(names)}`;
