import type { Queue, QueueStats } from '@matchyard/client/admin'
import { useLive } from '../../data/hooks'
import { href } from '../../data/route'
import { Card, counted, Figure, Figures, number, Status, span } from '../../ui'
import { now } from '../../ui/time'
import { perMinute, type Trends } from './trends'

const MINUTE = 60_000

/** A queue with its statistics. */
export interface QueueNow {
  readonly queue: Queue
  readonly stats: QueueStats
}

/**
 * Cards of the queues. Each card has the number of searching players, the waiting times, and the matches per minute.
 */
export function QueueCards({ of, trends }: { readonly of: readonly QueueNow[]; readonly trends: Trends }) {
  const { things, reading } = useLive('match')
  const isKnown = reading.value.is === 'ready'
  void things.revision.value
  const matches = things.all()
  return (
    <>
      {of.map(({ queue, stats }) => {
        const id = queue.queue_id
        const made = matches.filter(({ queue_id, status }) => queue_id === id && status !== 'proposed')
        const each = perMinute(
          made.map(({ created_at }) => Date.parse(created_at)),
          now.value - (now.value % MINUTE) + MINUTE - 1,
        )
        return (
          <Card
            key={id}
            title={id}
            note={queue.name === id ? undefined : queue.name.slice(0, 60)}
            flush
            actions={
              <>
                {!queue.enabled && <Status tone="still">Disabled</Status>}
                <a class="small" href={href('queues', id)}>
                  Open the queue
                </a>
              </>
            }
          >
            <Figures>
              <Figure
                label="Players searching"
                value={number(stats.players_searching)}
                note={`in ${counted(stats.lobbies_searching, 'lobby', 'lobbies')}`}
                trend={trends.of(`searching ${id}`)}
                href={href('lobbies')}
              />
              <Figure label="Median wait" {...waited(stats.recent_wait_seconds.p50)} trend={trends.of(`p50 ${id}`)} />
              <Figure label="p90 wait" {...waited(stats.recent_wait_seconds.p90)} trend={trends.of(`p90 ${id}`)} />
              <Figure
                label="Matches per minute"
                value={isKnown ? lately(each) : null}
                note={`average over 5 min; ${counted(stats.matches_last_hour, 'match', 'matches')} in the last hour`}
                trend={each}
                href={href('matches')}
              />
            </Figures>
          </Card>
        )
      })}
    </>
  )
}

const LATELY = 5

/** Returns the average of the last five complete minutes. The current minute is incomplete, so it is left out. */
const lately = (each: readonly number[]): string =>
  (each.slice(-1 - LATELY, -1).reduce((sum, count) => sum + count, 0) / LATELY).toFixed(1)

const waited = (seconds: number | null) =>
  seconds === null
    ? { value: null, note: 'no match in the last ten minutes' }
    : { value: span(seconds), note: 'in the last ten minutes' }
