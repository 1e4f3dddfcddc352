import { minuteCell } from '../../ports/storage/index'
import type { ServerEvent } from '../../server/events'
import type { GameServer } from '../../server/game-server'
import type { Consequence } from './register'

/**
 * Adds the end of a server to the history, by the version of its build and the cause, in the same commit. A server that never had a build
 * is not counted, because callers choose its `versionTag`.
 */
export const ended: Consequence<GameServer, ServerEvent> = {
  after: ['server_stopped', 'server_failed'],
  async run(_ctx, draft, { after }) {
    const { projectId, queueId, versionTag, buildVersion, endReason } = after
    if (buildVersion === null || endReason === undefined) return
    const key = `${versionTag}@${buildVersion}/${endReason}`
    draft.history(
      minuteCell(draft.at, { projectId, queueId: queueId ?? '', series: 'ends', key, count: 1, sum: 0, most: 0 }),
    )
  },
}
