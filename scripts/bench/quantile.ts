/** The value below which this share of the figures lies: 0.5 for the median, 1 for the largest; NaN where there is none. */
export function quantile(figures: readonly number[] = [], share = 0.5): number {
  const sorted = [...figures].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
