export class Random {
  constructor(seed: string);
  next(): number;
  integer(low: number, high: number): number;
  pick<T>(items: readonly T[]): T;
  chance(probability: number): boolean;
  logNormal(median: number, p99: number): number;
}
