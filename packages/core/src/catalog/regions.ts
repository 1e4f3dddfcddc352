// The matchmaking engine defines the regions, because it reads them from the players' states.
export { DEFAULT_REGION, isRegion, REGIONS, type Region } from '@matchyard/matchmaking'
