export interface BenchOptions {
  /** A small run that shows that the bench works; its figures are rough. */
  readonly quick: boolean;
  /** One part of a bench that has parts. */
  readonly part?: string | undefined;
  /** The first of a bench's numbered cases, and how many of them. */
  readonly from?: number | undefined;
  readonly count?: number | undefined;
}

/** One measured number. */
export interface Figure {
  readonly id: string;
  readonly value: number;
  readonly unit: string;
  /** What it is compared with, and that one's number. */
  readonly peer?: string;
  readonly peerValue?: number;
  readonly ratio?: number;
  /** The number to reach. */
  readonly reach?: number;
  readonly ok: boolean;
}

/** What a file `test/bench/NAME.ts` exports as `run`. */
export type Bench = (options: BenchOptions) => Promise<readonly Figure[]>;

/** The middle of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new Error('the median of nothing');
  return middle;
}
