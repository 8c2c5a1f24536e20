/** In pixels; the style sheet has the same. */
export const rowHeight = 24;
/** Of the column with the numbers of the rows, in pixels. */
export const numbersWidth = 64;
