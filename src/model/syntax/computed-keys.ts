/** The names that code in brackets yields, `CUBE[name]`, by the offset of the opening bracket. */
export type ComputedKeys = ReadonlyMap<number, ComputedKey>;
export interface ComputedKey {
  /** Each time that the code runs. */
  readonly names: readonly string[];
  /** The names in the code. */
  readonly from: readonly string[];
  /** The offset behind the closing bracket. */
  readonly end: number;
}
