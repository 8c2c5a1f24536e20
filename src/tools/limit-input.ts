import * as v from 'valibot';

/** Returns the input for the most entries that a tool lists: `usual` by default, never more than `most`. */
export function limitInput(description: string, usual: number, most?: number) {
  const described = v.description<number, string>(description);
  const range = most === undefined ? 'from 1 on' : `from 1 to ${most}`;
  const expected = `a whole number ${range}`;
  return v.optional(
    most === undefined
      ? v.pipe(v.number(), v.integer(expected), v.minValue<number, 1, string>(1, expected), described)
      : v.pipe(
          v.number(),
          v.integer(expected),
          v.minValue<number, 1, string>(1, expected),
          v.maxValue<number, number, string>(most, expected),
          described,
        ),
    usual,
  );
}
