import type { ServerLogs } from '@matchyard/client/admin'
import { Clock } from '../../ui'

/** Maximum number of characters that are shown of one line. */
const WIDEST = 2_000

/** One line of a server's log. */
export function LogRow({
  line: { timestamp, stream, message },
  isMarked = false,
}: {
  readonly line: ServerLogs['logs'][number]
  /** Whether the line is the one that a link leads to. */
  readonly isMarked?: boolean
}) {
  return (
    <div class={`log-line${stream === 'stderr' ? ' error' : ''}${isMarked ? ' marked' : ''}`}>
      <Clock at={timestamp} exact />
      <span class="log-stream">{stream === 'stderr' ? 'err' : 'out'}</span>
      <bdi>{message.length > WIDEST ? `${message.slice(0, WIDEST)}…` : message}</bdi>
    </div>
  )
}
