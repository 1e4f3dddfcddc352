import type { Beacon, ServedRegion } from '@matchyard/core'
import { answerOf, given, listOf, required } from './codec/index'
import { region, string, whole } from './shared'

const beacon = answerOf<Beacon>()(
  {
    host: required(string, 'Name or address of the host that answers by UDP.'),
    udpPort: given(whole, 'UDP port; absent when the host answers no UDP requests.'),
    url: given(string, 'URL that answers a GET request without a body, for browsers; absent without one.'),
  },
  'Beacon',
  'An address at which a client measures its latency to a region.',
)

const servedRegion = answerOf<ServedRegion>()(
  {
    region: required(region, 'Code of the region.'),
    beacons: required(listOf(beacon), 'Beacons of machines of the region, at most 8.'),
  },
  'ServedRegion',
  'A region in which game servers can run now.',
)

export const servedRegions = answerOf<{ readonly regions: readonly ServedRegion[] }>()({
  regions: required(listOf(servedRegion), "The served regions, in the operator's order."),
})
