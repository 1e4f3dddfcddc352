import type { GameServer, Match } from '@matchyard/core'
import { isLive } from '@matchyard/core/domain'
import type { Commit } from '@matchyard/core/ports'
import type { FakeClock } from '@matchyard/testkit'
import {
  aLobbyIsInOneMatch,
  aLobbyNamesItsMatch,
  aLobbyShowsItsServer,
  aMatchAndItsServerEndTogether,
  aQueuedLobbyHasItsTicket,
  type Invariant,
  noLobbyIsStuck,
} from '@matchyard/testkit/simulation'
import type { Violation } from './audit'
import { Rows } from './rows'

/** Invariants of lobbies and matches that core keeps after each commit, for any reports of its orchestrator. */
const ALWAYS: Readonly<Record<string, Invariant>> = {
  aLobbyIsInOneMatch,
  aLobbyNamesItsMatch,
  aLobbyShowsItsServer,
  aMatchAndItsServerEndTogether,
  aQueuedLobbyHasItsTicket,
}

/** Judges lobbies and matches at each commit, and the reasons for which matches end. */
export class Matches {
  private readonly rows = new Rows()
  /** Ids of servers and matches whose end a caller has asked for. */
  private readonly unwanted = new Set<string>()

  constructor(
    private readonly clock: FakeClock,
    private readonly broke: (invariant: string, message: string) => void,
    private readonly count: (outcome: string) => void,
  ) {}

  /** Records that a caller asks for the end of a server or match. It may end from now on, even if the call fails. */
  mayEnd(id: string): void {
    this.unwanted.add(id)
  }

  committed({ writes }: Commit): void {
    const was = writes.map(({ kind, id }) => this.ofInterest(kind, id))
    for (const write of writes) this.rows.apply(write)
    writes.forEach(({ kind, id }, index) => {
      const [before, after] = [was[index], this.ofInterest(kind, id)]
      if (after === undefined || before?.version === after.version) return
      if ('endedAt' in after) this.judgeMatch(before as Match | undefined, after)
      else this.judgeServer(before as GameServer | undefined, after)
    })
    for (const { invariant, message } of this.broken(ALWAYS)) this.broke(invariant, message)
  }

  /** Returns the violations once all troubles are over and every timeout has passed. */
  whatIsWrongAtRest(): Violation[] {
    return this.broken({ noLobbyIsStuck })
  }

  whatIsWrongInTheEnd(): Violation[] {
    const running = [...this.rows.matches.values()].filter(({ endedAt }) => endedAt === null)
    return running.map(({ id, status }) => ({
      invariant: 'noMatchIsStuck',
      message: `${id} is ${status} after all was stopped`,
    }))
  }

  private ofInterest(kind: Commit['writes'][number]['kind'], id: string): Match | GameServer | undefined {
    if (kind === 'match') return this.rows.matches.get(id)
    return kind === 'server' ? this.rows.servers.get(id) : undefined
  }

  private broken(invariants: Readonly<Record<string, Invariant>>): Violation[] {
    const view = this.rows.seenAt(this.clock.now())
    return Object.entries(invariants).flatMap(([invariant, check]) =>
      check(view).map((message) => ({ invariant, message })),
    )
  }

  /** Checks that a match ends only on request or with its server. The end of the server is judged by itself. */
  private judgeMatch(was: Match | undefined, is: Match): void {
    if (was?.status !== is.status) this.count(`match ${is.status}`)
    if (is.endedAt === null || was?.endedAt !== null || this.unwanted.has(is.id)) return
    const server = this.rows.servers.get(is.serverId ?? '')
    if (server === undefined || (isLive(server) && server.status !== 'stopping'))
      this.broke('noMatchIsLostBeforeItsDeadline', `${is.id} ended, and its server is ${server?.status ?? 'nowhere'}`)
  }

  /** Checks that a server is stopped only on request, or when its time has expired. */
  private judgeServer(was: GameServer | undefined, is: GameServer): void {
    if (is.status !== 'stopping' || was?.status === 'stopping') return
    const isOver = is.expiresAt !== null && is.expiresAt <= this.clock.now()
    if (isOver || this.unwanted.has(is.id) || this.unwanted.has(is.matchId ?? '')) return
    this.broke('noMatchIsLostBeforeItsDeadline', `${is.id} is stopped, and nobody asked for it: ${is.stopReason}`)
  }
}
