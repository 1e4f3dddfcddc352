import { numericFields } from '../config/fields-read'
import { createPool } from '../pool/pool'
import type { Pool, Proposal, Ticket } from '../types'
import { Agenda } from './agenda'
import { type Arriving, START_AT } from './arrivals'
import { Asking, type AskingFigures, type Found } from './asking'
import { Bands, type BandsFigures } from './bands'
import { generator } from './draw'
import { Samples, Timeline, type TimelinePoint } from './figures'
import { Meetings } from './meetings'
import { Playing, type PlayingFigures } from './playing'
import { type Scenario, WILLING } from './scenario'
import { Spreads } from './spreads'
import { Unmatched, type UnmatchedFigures } from './unmatched'

export interface Progress {
  readonly parties: number
  readonly matches: number
  readonly waiting: number
}

/** Result of a simulation. All waits are in seconds. */
export interface Outcome {
  readonly scenario: string
  readonly parties: number
  readonly players: number
  readonly matches: number
  readonly matchedPlayers: number
  /** Share of the parties (0 to 1) that had no match when they left or when the simulation ended. */
  readonly unmatchedShare: number
  readonly matchesPerMinute: number
  readonly simulatedSeconds: number
  readonly waitSeconds: { readonly p50: number | null; readonly p90: number | null; readonly p99: number | null }
  /** Number of matched parties by their wait. `seconds` is the longest wait of the row; null for longer waits. */
  readonly waitHistogram: readonly { readonly seconds: number | null; readonly parties: number }[]
  /** Waits by the first measured field; absent where no field is measured. */
  readonly waitByField?: BandsFigures
  /** Difference between the highest and the lowest value within a match, for each measured numeric field. */
  readonly spread: Readonly<
    Record<string, { readonly mean: number | null; readonly p50: number | null; readonly p90: number | null }>
  >
  /** Difference between the highest and the lowest team average of the first numeric field. */
  readonly teamGap: { readonly mean: number | null; readonly p90: number | null }
  /** Figures of ready checks; present where the queue has a ready check. */
  readonly readyCheck?: AskingFigures
  /** Figures of running matches; present where the scenario sets the duration of a match. */
  readonly played?: PlayingFigures
  readonly unmatched: UnmatchedFigures
  /**
   * Averages over periods of virtual time: the waits of the players who were matched in the period, and the spread of
   * the period's matches.
   */
  readonly timelines: { readonly wait: readonly TimelinePoint[]; readonly spread: readonly TimelinePoint[] }
}

/** Longest waits of the rows of `waitHistogram`, in seconds. */
const WAIT_ROWS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600]

/** Number of parties between two calls of `tell`, where the caller does not set it. */
const TELL_EVERY = 10_000

export interface PlayOptions {
  /**
   * Receives the progress. The simulation awaits the call, so that other work of the thread can run. An error that
   * `tell` throws ends the simulation, and `play` throws the same error; use this to cancel the simulation.
   */
  readonly tell?: (progress: Progress) => void | Promise<void>
  /** Number of parties between two calls of `tell`; default 10,000. */
  readonly tellEvery?: number
}

/**
 * Simulates a queue: adds the arrivals to a real pool under a virtual clock, and returns the outcome. A tick runs after
 * an arrival and when a relaxation is due.
 */
export async function play(
  scenario: Scenario,
  arrivals: Iterable<Arriving> | AsyncIterable<Arriving>,
  { tell = () => {}, tellEvery = TELL_EVERY }: PlayOptions = {},
): Promise<Outcome> {
  const run = new Run(scenario)
  for await (const ticket of arrivals) {
    run.advanceTo(ticket.enteredAt)
    run.arrive(ticket)
    if (run.parties % tellEvery === 0) await tell(run.progress())
  }
  run.finish()
  return run.outcome()
}

class Run {
  parties = 0
  private players = 0
  private matches = 0
  private matchedPlayers = 0
  private matchedParties = 0
  private now = START_AT
  private dirtySince: number | undefined
  private readonly pool: Pool
  /** Waiting tickets, by id. */
  private readonly tickets = new Map<string, Ticket>()
  private readonly waits = new Samples()
  private readonly spreads: Spreads
  private readonly waitOverTime: Timeline
  private readonly bands: Bands | undefined
  private readonly unmatched = new Unmatched()
  private readonly agenda = new Agenda()
  private readonly meetings: Meetings
  private readonly asking: Asking | undefined
  private readonly playing: Playing | undefined

  constructor(private readonly scenario: Scenario) {
    const { config, live, readyCheckSeconds, backfillSeconds, seed } = scenario
    this.pool = createPool(config)
    this.meetings = new Meetings(config)
    const measured = [...new Set([...numericFields(config), ...(scenario.measuredFields ?? [])])]
    this.spreads = new Spreads(measured, stretchOf(scenario))
    this.bands = measured[0] === undefined ? undefined : new Bands(measured[0])
    this.waitOverTime = new Timeline(stretchOf(scenario))
    // A second random generator, so that the arrivals do not depend on the later behaviour of players.
    const random = generator(seed ^ 0x5eed)
    if (readyCheckSeconds !== undefined) {
      const outcomes = {
        made: (found: Found) => this.make(found),
        back: (all: readonly Ticket[]) => this.takeBack(all),
      }
      this.asking = new Asking(live ?? WILLING, readyCheckSeconds, this.agenda, random, outcomes)
    }
    if (live?.matchSeconds !== undefined) {
      const changed = (now: number) => {
        this.dirtySince ??= now
      }
      this.playing = new Playing(live, live.matchSeconds, backfillSeconds, this.pool, this.agenda, random, changed)
    }
  }

  progress(): Progress {
    return { parties: this.parties, matches: this.matches, waiting: this.pool.size }
  }

  arrive({ givesUpAfterMs, ...ticket }: Arriving): void {
    this.parties++
    this.players += ticket.players.length
    this.bands?.arrive(ticket)
    const entered = this.meetings.withRecent(ticket)
    this.enter(entered, ticket.enteredAt)
    if (givesUpAfterMs === undefined || givesUpAfterMs >= this.scenario.timeoutSeconds * 1_000) return
    this.agenda.at(ticket.enteredAt + givesUpAfterMs, () => this.leave(entered, true))
  }

  /** Runs every event that is due up to a time, in order: ticks, timeouts, and the events of matches. */
  advanceTo(instant: number): void {
    for (;;) {
      const due = Math.min(this.nextTickAt(), this.nextTimeoutAt() ?? Infinity, this.agenda.nextAt() ?? Infinity)
      if (due > instant) break
      this.now = due
      if (!this.agenda.runNext(due) && !this.expire()) this.tick()
    }
    this.now = Math.max(this.now, instant)
  }

  /** Returns the time of the next tick: after a change of the pool, or at the next relaxation. */
  private nextTickAt(): number {
    const relaxAt = Math.max(this.pool.nextDueAt(this.now) ?? Infinity, this.now)
    return Math.min((this.dirtySince ?? Infinity) + this.scenario.tickSeconds * 1_000, relaxAt)
  }

  /** Ends the simulation without further arrivals: waiting tickets are matched or time out, and running matches end. */
  finish(): void {
    this.advanceTo(this.now + this.scenario.timeoutSeconds * 1_000)
    for (let next = this.agenda.nextAt(); next !== undefined; next = this.agenda.nextAt()) this.advanceTo(next)
  }

  outcome(): Outcome {
    const seconds = (this.now - START_AT) / 1_000
    const { waits, spreads } = this
    return {
      scenario: this.scenario.name,
      parties: this.parties,
      players: this.players,
      matches: this.matches,
      matchedPlayers: this.matchedPlayers,
      unmatchedShare: this.parties === 0 ? 0 : 1 - this.matchedParties / this.parties,
      matchesPerMinute: seconds === 0 ? 0 : this.matches / (seconds / 60),
      simulatedSeconds: seconds,
      waitSeconds: { p50: waits.percentile(0.5), p90: waits.percentile(0.9), p99: waits.percentile(0.99) },
      waitHistogram: waits.histogram(WAIT_ROWS).map((parties, row) => ({ seconds: WAIT_ROWS[row] ?? null, parties })),
      ...(this.bands === undefined ? {} : { waitByField: this.bands.figures() }),
      spread: spreads.figures(),
      teamGap: { mean: spreads.gaps.mean(), p90: spreads.gaps.percentile(0.9) },
      ...(this.asking === undefined ? {} : { readyCheck: this.asking.figures }),
      ...(this.playing === undefined ? {} : { played: this.playing.figures }),
      unmatched: this.unmatched.figures(),
      timelines: { wait: this.waitOverTime.points(), spread: spreads.overTime.points() },
    }
  }

  private enter(ticket: Ticket, at: number): void {
    this.tickets.set(ticket.id, ticket)
    this.pool.add(ticket)
    this.dirtySince ??= at
  }

  private tick(): void {
    this.dirtySince = undefined
    for (const proposal of this.pool.tick(this.now)) {
      const found = { proposal, tickets: this.take(proposal) }
      if (proposal.requestId !== undefined) this.fill(found)
      else if (this.asking !== undefined) this.asking.ask(found, this.now)
      else this.make(found)
    }
  }

  private take({ ticketIds }: Proposal): Ticket[] {
    const taken = ticketIds.flatMap((id) => this.tickets.get(id) ?? [])
    for (const { id } of taken) this.tickets.delete(id)
    return taken
  }

  /**
   * Puts tickets from a ready check back into the pool; they keep their age. A ticket that has timed out leaves
   * instead.
   */
  private takeBack(tickets: readonly Ticket[]): void {
    for (const ticket of tickets) {
      const timesOutAt = ticket.enteredAt + this.scenario.timeoutSeconds * 1_000
      if (timesOutAt <= this.now) continue
      this.enter(ticket, this.now)
      // This ticket is no longer in order of entering, so `expire` may miss it. A separate event removes it at its
      // timeout.
      this.agenda.at(timesOutAt, () => this.leave(ticket, false))
    }
  }

  private leave(ticket: Ticket, gaveUp: boolean): void {
    if (this.tickets.get(ticket.id) !== ticket) return
    this.unmatched.leave(() => this.pool.explain(ticket.id, this.now), gaveUp)
    this.tickets.delete(ticket.id)
    this.pool.remove(ticket.id)
  }

  // Tickets are kept in order of entering, so the first ticket is the next to time out.
  private nextTimeoutAt(): number | undefined {
    for (const ticket of this.tickets.values()) return ticket.enteredAt + this.scenario.timeoutSeconds * 1_000
    return undefined
  }

  /** Removes the tickets that have timed out; returns whether there were any. */
  private expire(): boolean {
    let any = false
    for (const ticket of this.tickets.values()) {
      if (ticket.enteredAt + this.scenario.timeoutSeconds * 1_000 > this.now) break
      this.leave(ticket, false)
      any = true
    }
    return any
  }

  private make(found: Found): void {
    this.matches++
    const states = this.matched(found.tickets)
    this.spreads.record(found.proposal, states, (this.now - START_AT) / 1_000)
    this.meetings.begin(found, this.now)
    this.playing?.begin(found, this.now)
  }

  private fill(found: Found): void {
    this.matched(found.tickets)
    this.playing?.fill(found, this.now)
  }

  private matched(tickets: readonly Ticket[]): Map<string, Ticket['players'][number]['state']> {
    const states = new Map<string, Ticket['players'][number]['state']>()
    for (const { id, players, enteredAt } of tickets) {
      this.matchedParties++
      this.matchedPlayers += players.length
      const wait = (this.now - enteredAt) / 1_000
      this.waits.add(wait)
      this.bands?.match(id, wait)
      this.waitOverTime.add((this.now - START_AT) / 1_000, wait)
      for (const { playerId, state } of players) states.set(playerId, state)
    }
    return states
  }
}

/** Returns the length of a period of the timelines, in seconds: a simulation has about two hundred periods. */
const stretchOf = ({ spanSeconds }: Scenario): number => Math.max(0.05, spanSeconds / 200)
