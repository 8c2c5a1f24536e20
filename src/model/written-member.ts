/** A member as a model is written, whether or not any platform has built it. */
export interface WrittenMember {
  /** For example `orders.count`. */
  readonly name: string;
  readonly kind: 'measure' | 'dimension' | 'time' | 'segment';
}
