import * as v from 'valibot';

/** Shapes that the messages of most web pages have in common. */

export const text = v.string();
/** A whole number that is not negative: a count, an index or a version. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const list = <S extends v.GenericSchema>(schema: S) => v.pipe(v.array(schema), v.readonly());
