/** In pixels; must match the style sheet. */
export const rowHeight = 24;
/** The width of the column of row numbers, in pixels. */
export const numbersWidth = 64;
