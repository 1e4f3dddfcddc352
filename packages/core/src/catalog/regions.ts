// The engine reads regions in what players send, so the list stands with it.
export { DEFAULT_REGION, isRegion, REGIONS, type Region } from '@matchyard/matchmaking'
