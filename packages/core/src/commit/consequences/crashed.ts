import { type HistoryValue, minuteCell } from '../../ports/storage/index'
import { versionOf } from '../../server/build-version'
import type { ServerEvent } from '../../server/events'
import type { GameServer } from '../../server/game-server'
import type { Consequence } from './register'

/** Adds the crash of a server's process to the history, by the version of its build, in the same commit. */
export const crashed: Consequence<GameServer, ServerEvent> = {
  after: ['server_attempt_failed', 'server_crashed', 'server_failed'],
  async run(_ctx, draft, { before, events }) {
    const count = events.filter(hasCrashed).length
    if (count === 0) return
    const { projectId, queueId } = before
    const key = versionOf(before)
    const value: HistoryValue = { projectId, queueId: queueId ?? '', series: 'crashes', key, count, sum: 0, most: 0 }
    draft.history(minuteCell(draft.at, value))
  },
}

const hasCrashed = (event: ServerEvent): boolean =>
  event.type === 'server_crashed' || ('crash' in event && event.crash !== undefined)
