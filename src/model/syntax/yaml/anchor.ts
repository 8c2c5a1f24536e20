/** An anchor (`&name`) or an alias (`*name`) of YAML, with the range of its node. */
export interface Anchor {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly isAlias: boolean;
}
