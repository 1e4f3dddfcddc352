import { LANE_NAMES, LOBBY_STATUSES, type Matchyard } from '@matchyard/core'
import { laneOf } from '@matchyard/core/domain'
import type { Clock } from '@matchyard/core/ports'
import { Counter, Gauge, type Registry } from 'prom-client'

type Metrics = Awaited<ReturnType<Matchyard['metrics']>>

/** Label for jobs of a kind that this release does not know. A newer node created such jobs and runs them. */
const OTHER_LANE = 'unknown'

/** Gauges, updated before each read. */
export interface StateFigures {
  /** Updates the metrics about this process. */
  lookHere(): void
  /** Updates the metrics that are read from the storage. */
  lookAtStorage(): Promise<void>
}

/**
 * Creates the metrics of the current state. `here`: registry of this process's open streams and running jobs. `stored`:
 * registry of metrics that are equal for all processes of the storage.
 */
export function stateMetrics(here: Registry, stored: Registry): (matchyard: Matchyard, clock: Clock) => StateFigures {
  const gauge = (name: string, help: string, registry = stored) => new Gauge({ name, help, registers: [registry] })
  const lobbies = new Gauge({
    name: 'matchyard_lobbies',
    help: 'Lobbies by status.',
    labelNames: ['status'],
    registers: [stored],
  })
  const parties = gauge('matchyard_waiting_parties', 'Parties that wait in a queue.')
  const players = gauge('matchyard_waiting_players', 'Players that wait in a queue.')
  const streams = gauge('matchyard_event_streams', 'Event streams open on this node.', here)
  const readers = gauge('matchyard_feed_readers', "Readers of projects' feeds on this node.", here)
  const counter = (name: string, help: string) => new Counter({ name, help, registers: [here] })
  const resumed = counter('matchyard_feed_resumes_total', 'Readers of feeds who came back with a cursor.')
  const gaps = counter('matchyard_feed_gaps_total', 'Gaps of which readers of feeds were told.')
  const dropped = counter(
    'matchyard_history_rows_dropped_total',
    'Minutes of the history that were removed before they were added to the longer steps.',
  )
  const counted = { resumed: 0, gaps: 0, dropped: 0 }
  const ofLanes = (name: string, help: string, registry = stored) =>
    new Gauge({ name, help, labelNames: ['lane'], registers: [registry] })
  const jobsDue = ofLanes('matchyard_jobs_due', 'Jobs that are due and not in hand, by lane.')
  const jobLag = ofLanes('matchyard_job_lag_seconds', 'How long the oldest of them has been due.')
  const inHand = ofLanes('matchyard_jobs_in_hand', 'Jobs in hand on this node, by lane.', here)
  const waiting = new Gauge({
    name: 'matchyard_servers_waiting_for_room',
    help: 'Game servers for which no node has room, by region.',
    labelNames: ['region'],
    registers: [stored],
  })
  const longestWait = gauge('matchyard_room_wait_seconds', 'How long the oldest of them has waited.')
  const up = gauge('matchyard_storage_up', '1 where the storage answers, else 0.')

  const show = (state: Metrics, now: number) => {
    for (const status of LOBBY_STATUSES) lobbies.set({ status }, state.lobbiesByStatus[status])
    parties.set(state.waitingParties)
    players.set(state.waitingPlayers)
    for (const [region, servers] of Object.entries(state.room.byRegion)) waiting.set({ region }, servers)
    longestWait.set(state.room.oldestAt === null ? 0 : Math.max(0, now - state.room.oldestAt) / 1_000)
    for (const lane of [...LANE_NAMES, OTHER_LANE]) {
      const due = state.jobsDue.filter(({ kind }) => (laneOf(kind) ?? OTHER_LANE) === lane)
      jobsDue.set(
        { lane },
        due.reduce((sum, { count }) => sum + count, 0),
      )
      jobLag.set({ lane }, Math.max(0, ...due.map(({ oldestAt }) => now - oldestAt)) / 1_000)
    }
  }

  return (matchyard, clock) => ({
    lookHere() {
      streams.set(matchyard.openStreams())
      const feeds = matchyard.feedFigures()
      readers.set(feeds.readers)
      // The service's count starts at 0 when the service starts, so the counter is increased by the difference to the
      // previous update.
      resumed.inc(feeds.resumed - counted.resumed)
      gaps.inc(feeds.gaps - counted.gaps)
      const rows = matchyard.historyRowsDropped()
      dropped.inc(rows - counted.dropped)
      Object.assign(counted, feeds, { dropped: rows })
      for (const [lane, count] of Object.entries(matchyard.jobsInHand())) inHand.set({ lane }, count)
    },
    async lookAtStorage() {
      try {
        show(await matchyard.metrics(), clock.now())
        up.set(1)
      } catch {
        // The gauges keep their last values; the metric `up` is 0 to show that they are stale.
        up.set(0)
      }
    },
  })
}
