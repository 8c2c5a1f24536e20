/** The possible types of a column's dimension. */
export type ColumnDimensionType = 'string' | 'number' | 'time' | 'boolean';

const NUMBER =
  /^(?:(?:big|small|tiny|medium|huge|byte|u)?int(?:eger|\d+)?(?: unsigned)?|u(?:big|small|tiny|huge)int|(?:big|small)?serial\d?|(?:big)?numeric|(?:big)?decimal\d*|dec|number|float\d*|double(?: precision)?|real|(?:small)?money|long|short)$/;
/** The platform does not accept a time of day without a date as a time. */
const TIME =
  /^(?:date(?:32)?|(?:small)?datetime(?:2|64|offset)?|timestamp(?:tz|_?ntz|_?ltz|_?tz|_s|_ms|_ns)?(?: with(?:out)?(?: local)? time zone)?)$/;

/**
 * Returns the dimension type for a column's database type. Unknown types, and those that match no other (lists, objects, bytes),
 * become `string`, which the platform does not convert.
 */
export function dimensionTypeOf(columnType: string | undefined): ColumnDimensionType {
  const type = plainType(columnType ?? '');
  if (NUMBER.test(type)) return 'number';
  if (TIME.test(type)) return 'time';
  return type === 'boolean' || type === 'bool' ? 'boolean' : 'string';
}

/** Removes lengths and wrappers that only allow null: `Nullable(Decimal(9, 2))` → `decimal`. */
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
