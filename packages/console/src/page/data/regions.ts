/** Number of regions of the service. */
const REGIONS = 16
/** Maximum regions that a text names. */
const NAMED = 5

/** Whether a list of regions has all regions of the service. */
export const hasAllRegions = (regions: readonly string[]): boolean => regions.length >= REGIONS

/** Returns a list of regions as text: `fra, ams`, `all regions`, or the first five and the number of the others. */
export function regionsTold(regions: readonly string[]): string {
  if (hasAllRegions(regions)) return 'all regions'
  const more = regions.length - NAMED
  return more > 0 ? `${regions.slice(0, NAMED).join(', ')} and ${more} more` : regions.join(', ')
}
