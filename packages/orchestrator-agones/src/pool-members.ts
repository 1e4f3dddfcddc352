import type { GameServerItem, KubeMeta } from './kube/shapes'
import { poolOf } from './pool-manifest'

/** The names of all of each pool, so that to look at one costs as much as there is of it, and not as all that play. */
export class PoolMembers {
  private readonly names = new Map<string, Set<string>>()

  constructor(private readonly byName: (name: string) => GameServerItem | undefined) {}

  /** The pools of which there is something. */
  get pools(): readonly string[] {
    return [...this.names.keys()]
  }

  of(pool: string): GameServerItem[] {
    return [...(this.names.get(pool) ?? [])].flatMap((name) => this.byName(name) ?? [])
  }

  /** It is there, or changed, or went. */
  note({ metadata }: GameServerItem): void {
    const pool = poolOf(metadata)
    if (pool === undefined) return
    const names = this.names.get(pool) ?? new Set()
    if (this.byName(metadata.name) === undefined) names.delete(metadata.name)
    else names.add(metadata.name)
    if (names.size === 0) this.names.delete(pool)
    else this.names.set(pool, names)
  }
}

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
