/**
 * Joiners and variation selectors where neither an emoji nor a script needs them: beside a letter of the Latin script or a character of
 * ASCII, at the beginning, or after one of their kind. They have no glyph, so that a name with one looks like the name without.
 */
export const STRAY =
  /(?<=^|[\s\u0021-\u007E\p{sc=Latin}\p{Join_Control}])\p{Join_Control}|\p{Join_Control}(?=[\u0021-\u007E\p{sc=Latin}])|(?<=^|[\0-\u007E\p{sc=Latin}\p{Join_Control}\p{Variation_Selector}])\p{Variation_Selector}(?!\u20E3)|(?<!\p{sc=Han})[\u{E0100}-\u{E01EF}]/v;
