import { DEFAULT_REGION, REGIONS, type Region } from '@matchyard/matchmaking'

// The matchmaking engine defines the regions, because it reads them from the players' states.
export { DEFAULT_REGION, isRegion, REGIONS, type Region } from '@matchyard/matchmaking'

/** Regions of a machine whose operator named none, in the order of preference: the usual region first. */
export const ALL_REGIONS: readonly Region[] = [DEFAULT_REGION, ...REGIONS.filter((region) => region !== DEFAULT_REGION)]
