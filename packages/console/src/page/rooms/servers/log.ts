import type { ServerLogs } from '@matchyard/client/admin'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { lastOf, MOST_LOG_LINES } from '../../data/bounded'
import { isPassing, type Loadable, useProject } from '../../data/hooks'

export type LogLine = ServerLogs['logs'][number] & { readonly number: number }

const EVERY_MS = 1_000

/** Reads the log of a server every second, and returns its last lines. */
export function useLog(instanceId: string): {
  readonly now: ReadonlySignal<Loadable<readonly LogLine[]>>
  readonly heardAt: ReadonlySignal<number | undefined>
} {
  const { admin } = useProject()
  const now = useSignal<Loadable<readonly LogLine[]>>({ is: 'loading' })
  const heardAt = useSignal<number | undefined>(undefined)
  useEffect(() => {
    let lines: LogLine[] = []
    let count = 0
    let timer = 0
    let over = false
    const look = async () => {
      try {
        const since = lines.at(-1)?.timestamp
        const { logs } = await admin.servers.logs(
          instanceId,
          since === undefined ? { limit: 1_000 } : { limit: 1_000, since },
        )
        if (over) return
        const fresh = newOf(lines, logs)
        heardAt.value = Date.now()
        if (fresh.length > 0 || now.value.is !== 'ready') {
          lines = lastOf(
            lines,
            fresh.map((line) => ({ ...line, number: count++ })),
            MOST_LOG_LINES,
          )
          now.value = { is: 'ready', data: lines }
        }
      } catch (error) {
        if (over) return
        if (now.value.is !== 'ready') now.value = { is: 'failed', error }
        if (!isPassing(error) && now.value.is === 'failed') return
      }
      timer = window.setTimeout(look, EVERY_MS)
    }
    void look()
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [admin, instanceId, now, heardAt])
  return { now, heardAt }
}

/**
 * Returns the lines that the page does not have yet. A read with `since` may repeat lines with the last known
 * timestamp.
 */
function newOf(known: readonly LogLine[], told: ServerLogs['logs']): ServerLogs['logs'] {
  const last = known.at(-1)?.timestamp
  if (last === undefined) return told
  const same = known.filter(({ timestamp }) => timestamp === last).map(({ message }) => message)
  return told.filter(({ timestamp, message }) => {
    if (timestamp < last) return false
    if (timestamp > last) return true
    const at = same.indexOf(message)
    if (at < 0) return true
    same.splice(at, 1)
    return false
  })
}
