/** A name of a dotted path. */
export interface Segment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Set if the code in brackets yields it, `CUBE[name]`: the names in that code. */
  readonly from?: readonly string[];
  /** Set for a parameter of a function that the engine calls with what it names. */
  readonly isParameter?: true;
}
