import * as v from 'valibot';

/** Returns the input for the most entries that a tool lists: `usual` by default, never more than `most`. */
export function limitInput(description: string, usual: number, most?: number) {
  const described = v.description<number, string>(description);
  return v.optional(
    most === undefined
      ? v.pipe(v.number(), v.integer(), v.minValue<number, 1>(1), described)
      : v.pipe(v.number(), v.integer(), v.minValue<number, 1>(1), v.maxValue<number, number>(most), described),
    usual,
  );
}
