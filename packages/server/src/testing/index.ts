export { type BeaconCounts, openUdpBeacon } from '../beacon/udp-beacon'
export { environmentSchema, VARIABLES } from '../config/environment'
export { freePort } from './free-port'
