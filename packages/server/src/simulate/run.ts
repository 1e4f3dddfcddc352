import { createPool, type Pool, type Proposal, type Ticket } from '@matchyard/core/matchmaking'
import { arrivalsOf, START_AT } from './arrivals'
import { Samples, Timeline } from './figures'
import type { Scenario } from './scenario'

export interface Progress {
  readonly parties: number
  readonly matches: number
  readonly waiting: number
}

/** What a run showed. Waits in seconds. */
export interface Outcome {
  readonly scenario: string
  readonly parties: number
  readonly players: number
  readonly matches: number
  readonly matchedPlayers: number
  /** Share of the parties that left at their timeout or still waited when nobody came any more. */
  readonly unmatchedShare: number
  readonly matchesPerMinute: number
  readonly simulatedSeconds: number
  readonly waitSeconds: { readonly p50: number | null; readonly p90: number | null; readonly p99: number | null }
  /** Of each numeric field of a rule: the spread within matches. */
  readonly spread: Readonly<
    Record<string, { readonly mean: number | null; readonly p50: number | null; readonly p90: number | null }>
  >
  /** Of the first numeric field: how far apart the teams' averages are. */
  readonly teamGap: { readonly mean: number | null; readonly p90: number | null }
  readonly timelines: { readonly wait: Timeline; readonly spread: Timeline }
}

/** How often progress is told, in parties. */
const TELL_EVERY = 10_000
const NUMERIC_RULES = ['difference', 'team_difference', 'min', 'max']

/** Plays a scenario on the real engine with a virtual clock: ticks when somebody came, and when something falls due. */
export async function runScenario(scenario: Scenario, tell: (progress: Progress) => void = () => {}): Promise<Outcome> {
  const run = new Run(scenario)
  for await (const ticket of arrivalsOf(scenario)) {
    run.advanceTo(ticket.enteredAt)
    run.arrive(ticket)
    if (run.parties % TELL_EVERY === 0) tell(run.progress())
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
  private readonly tickets = new Map<string, Ticket>()
  private readonly waits = new Samples()
  private readonly gaps = new Samples()
  private readonly spreads: ReadonlyMap<string, Samples>
  private readonly waitOverTime: Timeline
  private readonly spreadOverTime: Timeline

  constructor(private readonly scenario: Scenario) {
    this.pool = createPool(scenario.config)
    const fields = (scenario.config.rules ?? [])
      .filter(({ type }) => NUMERIC_RULES.includes(type))
      .map(({ field }) => field ?? '')
    this.spreads = new Map(fields.map((field) => [field, new Samples()]))
    this.waitOverTime = new Timeline(stretchOf(scenario))
    this.spreadOverTime = new Timeline(stretchOf(scenario))
  }

  progress(): Progress {
    return { parties: this.parties, matches: this.matches, waiting: this.pool.size }
  }

  arrive(ticket: Ticket): void {
    this.parties++
    this.players += ticket.players.length
    this.tickets.set(ticket.id, ticket)
    this.pool.add(ticket)
    this.dirtySince ??= ticket.enteredAt
  }

  /** Everything that falls due up to an instant, in its order: ticks after arrivals, relaxations, timeouts. */
  advanceTo(instant: number): void {
    for (;;) {
      const tickAt = this.dirtySince === undefined ? undefined : this.dirtySince + this.scenario.tickSeconds * 1_000
      const relaxAt = this.pool.nextDueAt(this.now)
      const due = Math.min(
        tickAt ?? Infinity,
        Math.max(relaxAt ?? Infinity, this.now),
        this.nextTimeoutAt() ?? Infinity,
      )
      if (due > instant) break
      this.now = due
      if (!this.expire()) this.tick()
    }
    this.now = Math.max(this.now, instant)
  }

  /** Nobody comes any more: the rest is matched or waits in vain until its timeout. */
  finish(): void {
    this.advanceTo(this.now + this.scenario.timeoutSeconds * 1_000)
  }

  outcome(): Outcome {
    const seconds = (this.now - START_AT) / 1_000
    const { waits, gaps } = this
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
      spread: Object.fromEntries(
        [...this.spreads].map(([field, samples]) => [
          field,
          { mean: samples.mean(), p50: samples.percentile(0.5), p90: samples.percentile(0.9) },
        ]),
      ),
      teamGap: { mean: gaps.mean(), p90: gaps.percentile(0.9) },
      timelines: { wait: this.waitOverTime, spread: this.spreadOverTime },
    }
  }

  private tick(): void {
    this.dirtySince = undefined
    for (const proposal of this.pool.tick(this.now)) this.record(proposal)
  }

  // Tickets are kept in order of entering, so the first is the next to time out.
  private nextTimeoutAt(): number | undefined {
    for (const ticket of this.tickets.values()) return ticket.enteredAt + this.scenario.timeoutSeconds * 1_000
    return undefined
  }

  /** Whether anybody's time was up. */
  private expire(): boolean {
    let any = false
    for (const ticket of this.tickets.values()) {
      if (ticket.enteredAt + this.scenario.timeoutSeconds * 1_000 > this.now) break
      this.tickets.delete(ticket.id)
      this.pool.remove(ticket.id)
      any = true
    }
    return any
  }

  private record(proposal: Proposal): void {
    this.matches++
    const atSeconds = (this.now - START_AT) / 1_000
    const states = new Map<string, Readonly<Record<string, unknown>>>()
    for (const id of proposal.ticketIds) {
      const ticket = this.tickets.get(id)
      if (ticket === undefined) continue
      this.tickets.delete(id)
      this.matchedParties++
      this.matchedPlayers += ticket.players.length
      const wait = (this.now - ticket.enteredAt) / 1_000
      this.waits.add(wait)
      this.waitOverTime.add(atSeconds, wait)
      for (const { playerId, state } of ticket.players) states.set(playerId, state)
    }
    this.recordSpread(proposal, states, atSeconds)
  }

  private recordSpread(
    proposal: Proposal,
    states: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
    atSeconds: number,
  ): void {
    let first = true
    for (const [field, samples] of this.spreads) {
      const values = [...states.values()].map((state) => state[field]).filter((value) => typeof value === 'number')
      if (values.length === 0) continue
      const spread = Math.max(...values) - Math.min(...values)
      samples.add(spread)
      if (first) {
        this.spreadOverTime.add(atSeconds, spread)
        this.recordGap(proposal, states, field)
      }
      first = false
    }
  }

  private recordGap(
    proposal: Proposal,
    states: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
    field: string,
  ): void {
    const averages = proposal.teams.flatMap(({ players }) => {
      const values = players
        .map(({ playerId }) => states.get(playerId)?.[field])
        .filter((value) => typeof value === 'number')
      return values.length === 0 ? [] : [values.reduce((sum, value) => sum + value, 0) / values.length]
    })
    if (averages.length > 1) this.gaps.add(Math.max(...averages) - Math.min(...averages))
  }
}

/** About two hundred points in a plot. */
function stretchOf({ arrivals }: Scenario): number {
  const seconds = 'file' in arrivals ? 3_600 : arrivals.parties / arrivals.rate
  return Math.max(0.05, seconds / 200)
}
