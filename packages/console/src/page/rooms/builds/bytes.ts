/** Returns a number of bytes as text with a decimal unit: `38.2 MB`. */
export function bytes(count: number): string {
  if (count < 1_000) return `${count} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let rest = count / 1_000
  let unit = 0
  for (; rest >= 999.95 && unit < units.length - 1; unit++) rest /= 1_000
  return `${rest.toFixed(rest < 100 ? 1 : 0)} ${units[unit] ?? ''}`
}
