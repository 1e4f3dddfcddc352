import type { Server } from '@matchyard/client/admin'
import { span } from '../../ui'
import { now } from '../../ui/time'

/** Shows the time for which a server has run, or ran until its end. */
export function RanFor({ server }: { readonly server: Server }) {
  if (server.running_at === null) return <span class="quiet">–</span>
  const until = server.stopped_at === null ? now.value : Date.parse(server.stopped_at)
  return <>{span(Math.max(0, Math.round((until - Date.parse(server.running_at)) / 1_000)))}</>
}
