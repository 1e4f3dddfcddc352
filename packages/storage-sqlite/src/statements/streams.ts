import type { QueueWaiting } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { prepare } from './prepare'

export interface ChangeRow {
  readonly sequence: number
  readonly ticket_id: string
  /** Body of the ticket; null for a tombstone. */
  readonly body: string | null
}

/** Statements of the log of changes of tickets. */
export const streamStatements = (db: Database) => ({
  changes: prepare<[string, number, number], ChangeRow>(
    db,
    `
    select c.sequence, c.ticket_id, t.body
    from ticket_change c indexed by ticket_change_by_queue
    left join ticket t on t.id = c.ticket_id and c.removed_at is null
    where c.queue_key = ? and c.sequence > ? order by c.sequence limit ?`,
  ),
  // Tickets for a reader without a cursor, which needs no tombstones.
  waitingTickets: prepare<[string, number], ChangeRow>(
    db,
    `
    select c.sequence, c.ticket_id, t.body
    from ticket_change c indexed by ticket_change_by_queue
    join ticket t on t.id = c.ticket_id
    where c.queue_key = ? and c.removed_at is null order by c.sequence limit ?`,
  ),
  waiting: prepare<[], QueueWaiting>(
    db,
    `
    select queue_key as queueKey, parties, players from queue_waiting where parties > 0 order by queue_key`,
  ),
  waitingIn: prepare<[string], QueueWaiting>(
    db,
    'select queue_key as queueKey, parties, players from queue_waiting where queue_key = ? and parties > 0',
  ),
  addWaiting: prepare<[string, number, number]>(
    db,
    `
    insert into queue_waiting (queue_key, parties, players) values (?, ?, ?)
    on conflict do update set parties = parties + excluded.parties, players = players + excluded.players`,
  ),
  // A sample of the waiting parties, in the order of the last characters of their ids. These characters are random, so
  // the sample is independent of the tickets. The index contains only parties.
  sample: prepare<[string, number], string>(
    db,
    `select body from ticket indexed by party_by_chance where queue_key = ? and players >= 0 order by substr(id, -8) limit ?`,
  ).pluck(),
})

export type StreamStatements = ReturnType<typeof streamStatements>
