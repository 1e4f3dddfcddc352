import type { GameServerItem, KubeMeta } from '../kube/shapes'

/** Whether the game server belongs to a fleet: it counts towards the fleet's size and is deleted with the fleet. */
export const isOfFleet = ({ metadata }: GameServerItem): boolean =>
  metadata.ownerReferences?.some(({ kind }) => kind === 'GameServerSet') === true

/** Whether the game server is being removed. Agones shrinks a fleet by `Shutdown`, so this is no setback. */
export const isGoing = ({ metadata, status }: GameServerItem): boolean =>
  metadata.deletionTimestamp !== undefined || status?.state === 'Shutdown'

/**
 * Whether a waiting game server called `Allocate()` or `Reserve()` of Agones' SDK. Then no launch gets it and no fleet
 * shrinks by it, so it would run forever without being billed. It belongs to no launch, because an allocation writes
 * mark and state in one write.
 */
export const tookItself = ({ status }: GameServerItem): boolean =>
  ['Allocated', 'Reserved'].includes(status?.state ?? '')

/**
 * Whether a game server that was taken is Ready again. An allocation makes it Allocated. A server that calls `Ready()`
 * of Agones' SDK after loading makes itself Ready, and then its fleet may remove it.
 */
export const isReadyAgain = (server: GameServerItem): boolean =>
  isOfFleet(server) && ['RequestReady', 'Ready'].includes(server.status?.state ?? '')

/** Returns the metadata that takes a game server out of its fleet. */
export const withoutFleet = ({ resourceVersion }: KubeMeta) => ({
  resourceVersion,
  ownerReferences: [],
  labels: { 'agones.dev/fleet': null, 'agones.dev/gameserverset': null },
})
