import { capitalized, withArticle } from '#base/words.ts';
import { GRANULARITIES } from '../language/shared-keys.ts';
import type { TextFormat } from '../language/types.ts';
import { nearestName } from '../suggest.ts';
import { isCron } from './cron.ts';
import { quotedValue } from './quoted-value.ts';

const UNIT = '(?:second|minute|hour|day|week|month|quarter|year)s?';
const GRANULARITY_INTERVAL = new RegExp(`^\\d+\\s+${UNIT}(?:\\s\\d+\\s+${UNIT}){0,7}$`);
const GRANULARITY_OFFSET = new RegExp(`^-?\\d+\\s+${UNIT}(?:\\s-?\\d+\\s+${UNIT}){0,7}$`);
const INTERVAL = /^-?\d+ (?:minute|hour|day|week|month|quarter|year)s?$/;
const EVERY = /^\d+ (?:second|minute|hour|day|week)s?$/;
const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const NAMED = /^(?:number|percent|currency|decimal|abbr|accounting)(?:_[0-6])?$|^id$/;
const D3 = /^(?:(.)?([<>=^]))?([+\-( ])?([$#])?(0)?(\d+)?(,)?(?:\.(\d+))?(~)?([a-zA-Z%])?$/;
const D3_TYPES = 'efgrs%pbodxXcn';
const TIME = new Set('aAbBcdHIjmMnpStUwWxXyYZ%efgGLqQsuV');
export const BASIC_FORMATS = ['imageUrl', 'link', 'currency', 'percent', 'number', 'id'] as const;
const MEASURE_FORMATS = ['percent', 'currency', 'number'] as const;
/** Number formats that are offered: `_N` is the number of decimals, the rest are d3-format specifiers. */
export const NUMBER_FORMATS = [
  ...MEASURE_FORMATS,
  'id',
  'abbr',
  'accounting',
  'number_2',
  'percent_1',
  'currency_2',
  'abbr_1',
  'accounting_2',
  ',.2f',
  '.1%',
  '.2s',
] as const;
/** Time formats that are offered, in strftime notation. */
export const TIME_FORMATS = ['%Y-%m-%d', '%Y-%m', '%d.%m.%Y', '%b %Y', '%Y-%m-%d %H:%M'] as const;

/** ISO 4217 codes that the engine knows. */
const CURRENCIES =
  ' AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK ' +
  'DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR ' +
  'KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN ' +
  'PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX ' +
  'USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL ';

interface FormatRule {
  readonly accepts: (text: string) => boolean;
  readonly problem: (text: string) => string;
}

const rule = (accepts: (text: string) => boolean, problem: string): FormatRule => ({
  accepts,
  problem: (text) => problem.replace('$', () => capitalized(quotedValue(text))),
});
const matches =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);

/** Time zones that only the engine's own table has, not the platform's. */
const OLD_ZONES = /^(?:US|Etc|SystemV|posix|right)\//;

function isTimeZone(text: string): boolean {
  try {
    return OLD_ZONES.test(text) || new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Formats that can be judged from the text alone. */
const RULES: Partial<Readonly<Record<TextFormat, FormatRule>>> = {
  identifier: rule(matches(IDENTIFIER), '$ is not a name: use letters, digits and `_`, starting with a letter or `_`.'),
  granularityInterval: rule(
    matches(GRANULARITY_INTERVAL),
    '$ is not an interval: write for example `1 week` or `1 year 3 months`.',
  ),
  granularityOffset: rule(matches(GRANULARITY_OFFSET), '$ is not an offset: write for example `-1 day`.'),
  interval: rule(matches(INTERVAL), '$ is not an interval: write for example `1 month`.'),
  rollingInterval: rule(
    (text) => text === 'unbounded' || INTERVAL.test(text),
    '$ is not an interval: write for example `7 day`, or `unbounded`.',
  ),
  every: rule(
    (text) => EVERY.test(text) || (text !== '' && isCron(text)),
    '$ is neither an interval such as `1 hour` (second to week) nor a cron expression.',
  ),
  everyInterval: rule(matches(EVERY), '$ is not an interval: write for example `1 day` (second to week).'),
  timezone: rule(isTimeZone, '$ is not a time zone: write for example `Europe/Berlin`.'),
  date: rule((text) => !Number.isNaN(new Date(text).getTime()), '$ is not a date: write for example `"2024-01-01"`.'),
  currency: rule(
    (text) => CURRENCIES.includes(` ${text.toUpperCase()} `) && text.length === 3,
    '$ is not a currency: write an ISO 4217 code, for example `EUR`.',
  ),
};

/** Checks whether a text is an interval of a refresh key. */
export function isInterval(text: string): boolean {
  return EVERY.test(text);
}

/** Describes what is wrong with a text of a format; undefined if nothing is, or if the text alone does not show it. */
export function formatProblem(format: TextFormat, text: string): string | undefined {
  const found = RULES[format];
  return found && !found.accepts(text) ? found.problem(text) : undefined;
}

/** Returns the interval that a misspelled one means: `1 day` for `1 dayy`; undefined if it has no word like a unit. */
export function meantInterval(format: TextFormat, text: string): string | undefined {
  if (!/^-?\d+ [a-z]/i.test(text)) return undefined;
  const meant = text.replaceAll(/[a-z]+/gi, (word) => {
    const units = GRANULARITIES.map((unit) => (word.endsWith('s') ? `${unit}s` : unit));
    return nearestName(word, units) ?? word;
  });
  return meant !== text && formatProblem(format, meant) === undefined ? meant : undefined;
}

/**
 * Checks whether an interval needs an origin because it does not divide its parent period evenly
 * (docs/model-language.md#granularities).
 */
export function needsOrigin(interval: string): boolean {
  const [count = '', unit = '', ...more] = interval.split(' ');
  if (more.length > 0) return true;
  const n = Number.parseInt(count, 10);
  const divides: Readonly<Record<string, number>> = {
    month: 12,
    quarter: 4,
    week: 1,
    day: 1,
    hour: 24,
    minute: 60,
    second: 60,
  };
  const name = GRANULARITIES.find((granularity) => unit.includes(granularity));
  if (name === undefined) return true;
  const whole = divides[name];
  return whole !== undefined && (whole === 1 ? n !== 1 : whole % n !== 0);
}

/** Describes what is wrong with the `format` of a measure or of a dimension of a type. */
export function memberFormatProblem(text: string, owner: 'measure' | 'dimension', type: string): string | undefined {
  if (owner === 'measure')
    return isNumeric(text)
      ? undefined
      : `${quotedValue(text)} is not a format of a measure: use percent, currency, number, a named format such as percent_2, or a d3-format specifier such as \`,.2f\`.`;
  if ((BASIC_FORMATS as readonly string[]).includes(text)) return undefined;
  if (type === 'number')
    return isNumeric(text)
      ? undefined
      : `${quotedValue(text)} is not a format of a number: use a named format such as percent_2, or a d3-format specifier such as \`,.2f\`.`;
  if (type === 'time')
    return isTime(text)
      ? undefined
      : `${quotedValue(text)} is not a format of a time: use specifiers such as \`%Y-%m-%d\`.`;
  return `${quotedValue(text)} is not a format of ${withArticle(type)}: use ${BASIC_FORMATS.join(', ')}.`;
}

function isNumeric(text: string): boolean {
  if (NAMED.test(text)) return true;
  const match = D3.exec(text);
  if (!match || text === '') return false;
  const [, fill, align] = match;
  const kind = match[10];
  return !(fill && !align) && (kind === undefined || D3_TYPES.includes(kind.toLowerCase()) || kind === 'X');
}

function isTime(text: string): boolean {
  let found = false;
  for (let at = text.indexOf('%'); at !== -1; at = text.indexOf('%', at + 2)) {
    const specifier = text[at + 1];
    if (specifier === undefined || !TIME.has(specifier)) return false;
    if (specifier !== '%') found = true;
  }
  return found;
}
