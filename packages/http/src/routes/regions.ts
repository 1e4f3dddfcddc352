import { type Endpoint, endpoint } from '../endpoint'
import { servedRegions } from '../wire/region'
import { ok } from './answers'

const list = endpoint({
  operation: 'regions.list',
  method: 'get',
  path: '/v1/regions',
  summary: 'Lists the regions in which game servers can run, with the beacons for measuring latencies.',
  success: ok(servedRegions),
  handle: async (call) => ({ regions: await call.matchyard.regions.list() }),
})

export const REGION_ENDPOINTS: readonly Endpoint[] = [list]
