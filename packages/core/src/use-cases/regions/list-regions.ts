import { unavailableInsteadOf } from '../../commit/transact'
import type { ServedRegion } from '../../machine/beacon'
import type { Service } from '../../node/service'
import { servedRegionsOf } from '../../reads/served-regions'

export const listRegions = (ctx: Service): Promise<readonly ServedRegion[]> =>
  unavailableInsteadOf(() => servedRegionsOf(ctx))
