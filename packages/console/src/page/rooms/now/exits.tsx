import { Card, counted, number, type Tone } from '../../ui'
import { Shape } from '../../ui/status'
import type { QueueNow } from './queue-cards'

/** What each way back to waiting is called here, and what it means. */
const WAYS: Readonly<Record<string, readonly [Tone, string]>> = {
  match_ended: ['good', 'The match ended'],
  backend_ended: ['good', 'Ended by the backend'],
  cancelled: ['still', 'Cancelled by the host'],
  player_left: ['still', 'A player left'],
  timeout: ['wait', 'No match in time'],
  declined: ['wait', 'A match was declined'],
  not_answered: ['wait', 'Not answered in time'],
  unmatchable: ['wait', 'Can no longer be matched'],
  server_stopped: ['wait', 'The server was stopped'],
  server_expired: ['wait', 'The server reached its time'],
  matched_elsewhere: ['still', 'Matched in another queue'],
  banned: ['still', 'A player is banned'],
  match_expired: ['wait', 'The match reached its time'],
  launch_failed: ['bad', 'The launch failed'],
  build_missing: ['bad', 'No build was ready'],
  no_room: ['bad', 'No node had room'],
  server_failed: ['bad', 'The server crashed'],
}

/** How lobbies came back to waiting in the last hour, by reason. */
export function Exits({ of }: { readonly of: readonly QueueNow[] }) {
  const sums = new Map<string, number>()
  for (const { stats } of of) {
    for (const [reason, count] of Object.entries(stats.exits_last_hour)) {
      sums.set(reason, (sums.get(reason) ?? 0) + count)
    }
  }
  const told = [...sums].filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1])
  const all = told.reduce((sum, [, count]) => sum + count, 0)
  const most = Math.max(1, ...told.map(([, count]) => count))
  return (
    <Card title="How lobbies came back" note={`${counted(all, 'time')} in the last hour`}>
      {told.length === 0 ? (
        <p class="quiet">None did: nobody has cancelled, and no match has ended.</p>
      ) : (
        <ul class="exits">
          {told.map(([reason, count]) => {
            const [tone, word] = WAYS[reason] ?? (['still', reason] as const)
            return (
              <li key={reason}>
                <span class="line">
                  <Shape tone={tone} />
                  {word}
                </span>
                <span class="exit-bar">
                  <span class={tone} style={{ width: `${((count / most) * 100).toFixed(1)}%` }} />
                </span>
                <span class="figures end">{number(count)}</span>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
