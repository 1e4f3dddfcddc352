import type { GameServerItem, KubeMeta } from '../kube/shapes'

/**
 * Whether the game server belongs to a fleet, so that it counts towards the fleet's size and is deleted together with
 * the fleet.
 */
export const isOfFleet = ({ metadata }: GameServerItem): boolean =>
  metadata.ownerReferences?.some(({ kind }) => kind === 'GameServerSet') === true

/**
 * Whether the game server is being removed. Agones moves a game server to `Shutdown` to make a fleet smaller, so this
 * does not count as a failure of the warm pool.
 */
export const isGoing = ({ metadata, status }: GameServerItem): boolean =>
  metadata.deletionTimestamp !== undefined || status?.state === 'Shutdown'

/**
 * Whether a warm game server called `Allocate()` or `Reserve()` of Agones' SDK. Then no launch can get the server and
 * the fleet does not remove it, so it would run forever without being billed. The server belongs to no launch, because
 * an allocation for a launch writes the state, and the labels and annotations of the launch, in one write.
 */
export const tookItself = ({ status }: GameServerItem): boolean =>
  ['Allocated', 'Reserved'].includes(status?.state ?? '')

/**
 * Whether a game server that a launch took is Ready again. An allocation makes it Allocated. A server that calls
 * `Ready()` of Agones' SDK after loading makes itself Ready, and then its fleet may remove it.
 */
export const isReadyAgain = (server: GameServerItem): boolean =>
  isOfFleet(server) && ['RequestReady', 'Ready'].includes(server.status?.state ?? '')

/** Returns the metadata with which a patch removes a game server from its fleet. */
export const withoutFleet = ({ resourceVersion }: KubeMeta) => ({
  resourceVersion,
  ownerReferences: [],
  labels: { 'agones.dev/fleet': null, 'agones.dev/gameserverset': null },
})
