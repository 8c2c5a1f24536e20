/** The types that a dimension of a column can have. */
export type ColumnDimensionType = 'string' | 'number' | 'time' | 'boolean';

const NUMBER =
  /^(?:(?:big|small|tiny|medium|huge|byte|u)?int(?:eger|\d+)?(?: unsigned)?|u(?:big|small|tiny|huge)int|(?:big|small)?serial\d?|(?:big)?numeric|(?:big)?decimal\d*|dec|number|float\d*|double(?: precision)?|real|(?:small)?money|long|short)$/;
/** A time of day, without a date, is not a time to the platform. */
const TIME =
  /^(?:date(?:32)?|(?:small)?datetime(?:2|64|offset)?|timestamp(?:tz|_?ntz|_?ltz|_?tz|_s|_ms|_ns)?(?: with(?:out)?(?: local)? time zone)?)$/;

/**
 * The type of a dimension for a column, from the type that the database gives it. What is not known, or is neither of the
 * others (lists, objects, bytes), is `string`: to that the platform does nothing.
 */
export function dimensionTypeOf(columnType: string | undefined): ColumnDimensionType {
  const type = plainType(columnType ?? '');
  if (NUMBER.test(type)) return 'number';
  if (TIME.test(type)) return 'time';
  return type === 'boolean' || type === 'bool' ? 'boolean' : 'string';
}

/** Without lengths and what says only that values may be missing: `Nullable(Decimal(9, 2))` → `decimal`. */
function plainType(type: string): string {
  let plain = type.toLowerCase().trim();
  for (;;) {
    const inside = /^(?:nullable|lowcardinality)\((.*)\)$/s.exec(plain)?.[1];
    if (inside === undefined) break;
    plain = inside.trim();
  }
  return plain
    .replaceAll(/\([^()]*\)/g, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/ not null$/, '')
    .trim();
}
