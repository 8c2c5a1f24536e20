/** One replaced range of a text; offsets in UTF-16 code units, end exclusive. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
