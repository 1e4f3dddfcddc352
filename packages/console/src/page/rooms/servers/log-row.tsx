import type { ServerLogs } from '@matchyard/client/admin'
import { Clock } from '../../ui'

/** Maximum number of characters that are shown of one line. */
const WIDEST = 2_000

/** One line of a server's log. */
export function LogRow({ line: { timestamp, stream, message } }: { readonly line: ServerLogs['logs'][number] }) {
  return (
    <div class={stream === 'stderr' ? 'log-line error' : 'log-line'}>
      <Clock at={timestamp} exact />
      <span class="log-stream">{stream === 'stderr' ? 'err' : 'out'}</span>
      <bdi>{message.length > WIDEST ? `${message.slice(0, WIDEST)}…` : message}</bdi>
    </div>
  )
}
