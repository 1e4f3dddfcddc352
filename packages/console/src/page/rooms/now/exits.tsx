import { Card, counted, number, outcomeOf } from '../../ui'
import { Shape } from '../../ui/status'
import type { QueueNow } from './queue-cards'

/** Shows the reasons for which lobbies returned to waiting in the last hour, each with its count. */
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
    <Card title="Why lobbies returned to waiting" note={`${counted(all, 'return')} in the last hour`}>
      {told.length === 0 ? (
        <p class="quiet">No lobby returned to waiting: no search was cancelled and no match ended.</p>
      ) : (
        <ul class="exits">
          {told.map(([reason, count]) => {
            const [tone, word] = outcomeOf(reason)
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
