import type { Pool, Proposal, SeatedPlayer, SeatRequest } from '../types'
import type { Agenda } from './agenda'
import type { Found } from './asking'
import { Samples } from './figures'
import type { Live } from './scenario'

export interface PlayingFigures {
  /** Number of matches that lost a player while they ran. */
  readonly lostPlayer: number
  /** Number of seats for which matches asked for a player, and number of these seats that a player took. */
  readonly seatsAsked: number
  readonly seatsFilled: number
  readonly seatWaitSeconds: { readonly p50: number | null; readonly p90: number | null }
  /**
   * Number of matches that found no free game server at first, and number of matches that failed after waiting for a
   * server.
   */
  readonly waitedForRoom: number
  readonly failedForRoom: number
  readonly roomWaitSeconds: { readonly p50: number | null; readonly p90: number | null }
}

interface Match {
  readonly id: string
  readonly proposal: Proposal
  players: readonly SeatedPlayer[]
}

/**
 * Simulates the matches after they were found: they wait for a game server, run, and may lose a player and ask for
 * another player.
 */
export class Playing {
  private made = 0
  private running = 0
  /** Matches without a game server, which wait for a free server, oldest first. */
  private readonly line = new Map<string, { readonly match: Match; readonly since: number }>()
  /** Matches with an open seat, by the id of their request for a player. */
  private readonly asking = new Map<string, { readonly match: Match; readonly since: number }>()
  private readonly counts = { lostPlayer: 0, seatsAsked: 0, seatsFilled: 0, waitedForRoom: 0, failedForRoom: 0 }
  private readonly roomWaits = new Samples()
  private readonly seatWaits = new Samples()

  constructor(
    private readonly live: Live,
    private readonly matchSeconds: number,
    /**
     * Seconds for which a match keeps asking for a player; undefined where matches of the queue do not ask for players.
     */
    private readonly backfillSeconds: number | undefined,
    private readonly pool: Pool,
    private readonly agenda: Agenda,
    private readonly random: () => number,
    /** Called when the pool has changed, because a match has added a request for a player. */
    private readonly changed: (now: number) => void,
  ) {}

  get figures(): PlayingFigures {
    const shares = (samples: Samples) => ({ p50: samples.percentile(0.5), p90: samples.percentile(0.9) })
    return { ...this.counts, seatWaitSeconds: shares(this.seatWaits), roomWaitSeconds: shares(this.roomWaits) }
  }

  begin(found: Found, now: number): void {
    const match = { id: `match_${this.made++}`, proposal: found.proposal, players: seated(found) }
    if (this.running < this.live.capacity) {
      this.play(match, now)
      return
    }
    this.counts.waitedForRoom++
    this.line.set(match.id, { match, since: now })
    this.agenda.at(now + this.live.capacityTimeoutSeconds * 1_000, () => {
      if (this.line.delete(match.id)) this.counts.failedForRoom++
    })
  }

  /** Adds the new players to the match that asked for them; the request ends. */
  fill(found: Found, now: number): void {
    const asked = this.asking.get(found.proposal.requestId ?? '')
    if (asked === undefined) throw new Error(`nobody asked for ${found.proposal.requestId}`)
    const { match, since } = asked
    this.asking.delete(match.id)
    match.players = [...match.players, ...seated(found)]
    this.counts.seatsFilled++
    this.seatWaits.add((now - since) / 1_000)
  }

  private play(match: Match, now: number): void {
    const { matchSeconds } = this
    this.running++
    const endsAt = now + matchSeconds * 1_000
    this.agenda.at(endsAt, () => this.end(match, endsAt))
    if (this.random() >= this.live.leave) return
    const at = now + this.random() * matchSeconds * 1_000
    this.agenda.at(at, () => this.losePlayer(match, at))
  }

  private end(match: Match, now: number): void {
    this.running--
    this.withdraw(match)
    const [next] = this.line.values()
    if (next === undefined) return
    this.line.delete(next.match.id)
    this.roomWaits.add((now - next.since) / 1_000)
    this.play(next.match, now)
  }

  private losePlayer(match: Match, now: number): void {
    const leaver = match.players[Math.floor(this.random() * match.players.length)]
    if (leaver === undefined) return
    this.counts.lostPlayer++
    match.players = match.players.filter((player) => player !== leaver)
    if (this.backfillSeconds === undefined || match.players.length === 0) return
    this.counts.seatsAsked++
    this.asking.set(match.id, { match, since: now })
    this.pool.addRequest(requestOf(match, leaver, now))
    this.changed(now)
    this.agenda.at(now + this.backfillSeconds * 1_000, () => this.withdraw(match))
  }

  private withdraw(match: Match): void {
    if (this.asking.delete(match.id)) this.pool.removeRequest(match.id)
  }
}

function seated({ proposal, tickets }: Found): SeatedPlayer[] {
  const states = new Map(
    tickets.flatMap(({ players }) => players.map(({ playerId, state }) => [playerId, state] as const)),
  )
  return proposal.teams.flatMap(({ name, players }) =>
    players.map(({ playerId, role }) => ({ playerId, state: states.get(playerId) ?? {}, team: name, role })),
  )
}

const requestOf = ({ id, proposal, players }: Match, { team, role }: SeatedPlayer, now: number): SeatRequest => ({
  id,
  requestedAt: now,
  players,
  teams: [{ name: team, open: 1, roles: role === null ? null : { [role]: 1 } }],
  region: proposal.region,
  version: proposal.version,
})
