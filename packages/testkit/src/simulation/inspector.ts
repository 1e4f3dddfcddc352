import type { Invariant } from './invariants/index'
import type { Snapshot } from './invariants/snapshot'
import type { World } from './world'

export interface Violation {
  /** Name of the violated invariant, or of a forbidden call by the core. */
  readonly invariant: string
  readonly message: string
}

/** Checks all invariants after each step of a run, and returns the first violation. */
export class Inspector {
  now: Snapshot | undefined
  /** The invariants that the last check used, all of which held. */
  private held: Readonly<Record<string, Invariant>> | undefined

  constructor(private readonly world: World) {}

  async check(invariants: Readonly<Record<string, Invariant>>): Promise<Violation | undefined> {
    const { world } = this
    const now = await world.look()
    const before = now.wentBack ? undefined : this.now
    this.now = now
    const answers = world.answers
    world.answers = []
    const [astonishing] = world.astonishing
    if (astonishing !== undefined) return { invariant: 'callsFailByTheCatalogue', message: astonishing }
    const [untold] = world.auditor.faults
    if (untold !== undefined) return { invariant: 'everyMessageHasItsEvent', message: untold }
    const [disordered] = world.table?.faults ?? []
    if (disordered !== undefined) return { invariant: 'aConsumerMissesNothing', message: disordered }
    const broken = world.watchers.find((watcher) => watcher.faults.length > 0)
    if (broken !== undefined) return { invariant: 'aReaderMissesNothing', message: broken.faults.join('; ') }
    if (now.isAsBefore && answers.length === 0 && invariants === this.held) return undefined
    for (const [invariant, holds] of Object.entries(invariants)) {
      const wrong = holds({ now, before, history: world.history, answers })
      if (wrong.length > 0) return { invariant, message: wrong.join('; ') }
    }
    this.held = invariants
    return undefined
  }

  /** Returns a violation when the table of the consumer lacks a fact about a match. */
  lacking(): Violation | undefined {
    const missing = this.world.table?.missing(this.now?.matches.values() ?? []) ?? []
    if (missing.length === 0) return undefined
    return { invariant: 'aConsumerMissesNothing', message: `the table does not know that ${missing.join('; ')}` }
  }

  /** Returns a violation when a player with an open event stream has not read the newest version of the lobby. */
  lagging(): Violation | undefined {
    const behind = this.world.watchers.find((watcher) => {
      const newest = this.world.history.get(watcher.lobbyId)?.at(-1)?.version
      return watcher.nodeId !== undefined && !watcher.over && watcher.lastId !== newest
    })
    if (behind === undefined) return undefined
    const message = `${behind.playerId} was told of ${behind.lobbyId} up to version ${behind.lastId} only`
    return { invariant: 'aReaderMissesNothing', message }
  }
}
