import { type Clock, LOBBY_STATUSES, type Matchyard, type StorageMetrics } from '@matchyard/core'
import { Gauge, type Registry } from 'prom-client'

/** What is there now, read from the storage each time somebody looks. */
export function stateMetrics(registry: Registry): (matchyard: Matchyard, clock: Clock) => () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
  const lobbies = new Gauge({
    name: 'matchyard_lobbies',
    help: 'Lobbies by status.',
    labelNames: ['status'],
    registers: [registry],
  })
  const parties = gauge('matchyard_waiting_parties', 'Parties that wait in a queue.')
  const players = gauge('matchyard_waiting_players', 'Players that wait in a queue.')
  const streams = gauge('matchyard_event_streams', 'Event streams open on this node.')
  const jobsDue = gauge('matchyard_jobs_due', 'Jobs that are due and not in hand.')
  const jobLag = gauge('matchyard_job_lag_seconds', 'How long the oldest of them has been due.')
  const up = gauge('matchyard_storage_up', '1 where the storage answers, else 0.')

  const show = (state: StorageMetrics, now: number) => {
    for (const status of LOBBY_STATUSES) lobbies.set({ status }, state.lobbiesByStatus[status])
    parties.set(state.waitingParties)
    players.set(state.waitingPlayers)
    jobsDue.set(state.jobsDue)
    jobLag.set(state.oldestDueAt === undefined ? 0 : Math.max(0, now - state.oldestDueAt) / 1000)
  }

  return (matchyard, clock) => async () => {
    streams.set(matchyard.openStreams())
    try {
      show(await matchyard.metrics(), clock.now())
      up.set(1)
    } catch {
      // The figures stay as they were last seen: nobody knows better, and `up` says so.
      up.set(0)
    }
  }
}
