/** Returns the percentiles of values in any order as text, for example `p50 3.1, p99 12.0, max 14.2`. */
export function percentiles(figures: readonly number[]): string {
  const sorted = [...figures].sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)}`
}
