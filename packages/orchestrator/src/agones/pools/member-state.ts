import type { GameServerItem, KubeMeta } from '../kube/shapes'

/** It counts towards its fleet's size, and goes with it. */
export const isOfFleet = ({ metadata }: GameServerItem): boolean =>
  metadata.ownerReferences?.some(({ kind }) => kind === 'GameServerSet') === true

/** Agones shrinks a fleet by `Shutdown`: that is no setback. */
export const isGoing = ({ metadata, status }: GameServerItem): boolean =>
  metadata.deletionTimestamp !== undefined || status?.state === 'Shutdown'

/**
 * Of one that waits: it called `Allocate()` or `Reserve()` of Agones' SDK. No launch is given it then and no fleet shrinks by it, so it would run for
 * ever, and nobody would pay. It is no launch's: an allocation writes mark and state at once.
 */
export const tookItself = ({ status }: GameServerItem): boolean =>
  ['Allocated', 'Reserved'].includes(status?.state ?? '')

/** Taken, it was Allocated; a server that calls `Ready()` of Agones' SDK once it has loaded is Ready, and nothing keeps it from being taken away. */
export const isReadyAgain = (server: GameServerItem): boolean =>
  isOfFleet(server) && ['RequestReady', 'Ready'].includes(server.status?.state ?? '')

/** As a game server that was made by itself. */
export const withoutFleet = ({ resourceVersion }: KubeMeta) => ({
  resourceVersion,
  ownerReferences: [],
  labels: { 'agones.dev/fleet': null, 'agones.dev/gameserverset': null },
})
