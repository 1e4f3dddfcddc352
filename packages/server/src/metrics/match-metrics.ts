import { type Matchyard, PROPOSAL_OUTCOMES } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { Counter, Histogram, type Registry } from 'prom-client'

/**
 * Bucket bounds of waiting times in seconds: short for crowded queues, minutes for queues that relax their rules
 * slowly.
 */
const WAIT_BUCKETS = [0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600]
/** Bucket bounds in seconds of the time from the decision to launch a game server until it is `running`. */
const LAUNCH_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60]

const QUEUE_EXITS = [
  'cancelled',
  'timeout',
  'player_left',
  'declined',
  'not_answered',
  'unmatchable',
  'matched_elsewhere',
  'banned',
] as const
const SERVER_ENDS = ['stopped', 'failed'] as const

/** Creates the metrics of matches, ended tickets and launches, from the domain events of this node. */
export function matchMetrics(registry: Registry): (matchyard: Matchyard, storage: Storage) => void {
  const registers = [registry]
  const matches = new Counter({
    name: 'matchyard_matches_total',
    help: 'Matches made, by how: from a queue or started directly.',
    labelNames: ['origin'],
    registers,
  })
  const backfills = new Counter({
    name: 'matchyard_backfills_total',
    help: 'Running matches whose open seats newcomers took.',
    registers,
  })
  const proposals = new Counter({
    name: 'matchyard_proposals_total',
    help: 'Matches that players were asked about: made, and what came of them.',
    labelNames: ['outcome'],
    registers,
  })
  const timeToMatch = new Histogram({
    name: 'matchyard_time_to_match_seconds',
    help: 'How long each matched party had waited.',
    buckets: WAIT_BUCKETS,
    registers,
  })
  const exits = new Counter({
    name: 'matchyard_queue_exits_total',
    help: 'Parties that left a queue without a match, by reason; a timeout and a cancel among them.',
    labelNames: ['reason'],
    registers,
  })
  const launchTime = new Histogram({
    name: 'matchyard_launch_duration_seconds',
    help: 'From the decision to launch a game server until it runs.',
    buckets: LAUNCH_BUCKETS,
    registers,
  })
  const ends = new Counter({
    name: 'matchyard_servers_ended_total',
    help: 'Game servers that ended, by how.',
    labelNames: ['status'],
    registers,
  })
  // Each series starts with 0, so that a reader can distinguish a count of 0 from a missing series.
  for (const origin of ['queue', 'direct']) matches.inc({ origin }, 0)
  for (const outcome of ['made', ...PROPOSAL_OUTCOMES]) proposals.inc({ outcome }, 0)
  for (const reason of QUEUE_EXITS) exits.inc({ reason }, 0)
  for (const status of SERVER_ENDS) ends.inc({ status }, 0)

  return ({ events }, storage) => {
    events.on('match_found', ({ match }) => {
      matches.inc({ origin: match.waits.length > 0 ? 'queue' : 'direct' })
      if (match.proposal !== undefined) proposals.inc({ outcome: 'accepted' })
      for (const { waitedMs } of match.waits) timeToMatch.observe(waitedMs / 1000)
    })
    events.on('match_backfilled', ({ waits }) => {
      backfills.inc()
      for (const { waitedMs } of waits) timeToMatch.observe(waitedMs / 1000)
    })
    events.on('match_proposed', () => proposals.inc({ outcome: 'made' }))
    events.on('proposal_ended', ({ outcome }) => proposals.inc({ outcome }))
    events.on('queue_left', ({ reason }) => exits.inc({ reason }))
    events.on('server_stopped', () => ends.inc({ status: 'stopped' }))
    events.on('server_failed', () => ends.inc({ status: 'failed' }))
    events.on('server_running', ({ instanceId, at }) => {
      const observe = async () => {
        // The time is read from the record, because another node may have made the decision to launch.
        const server = await storage.get('server', instanceId)
        if (server !== undefined) launchTime.observe(Math.max(0, at - server.createdAt) / 1000)
      }
      observe().catch(() => {
        // A failed measurement is not important enough for a log line.
      })
    })
  }
}
