export { areApart } from './apart'
export * from './arbitraries'
export { bestFills, bestSeats, canFill, requestsByAge, type Service } from './fills'
export { type LivePool, livePools } from './live-pools'
export {
  bestService,
  canMatch,
  findFullMatch,
  fullMatches,
  fullSizeOf,
  largestShortMatch,
  mostTeams,
  proposalsOf,
  subsets,
} from './oracle'
export { regionOf } from './region'
export { anyRequests, type RequestOptions } from './requests'
export { type SmallPool, smallPools } from './small-pools'
