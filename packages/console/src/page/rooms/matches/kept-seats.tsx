import type { MatchSnapshot } from '@matchyard/client'
import { href } from '../../data/route'
import { Card, counted, Id, Text, Time } from '../../ui'

/** Seats of a match that are kept for players. Shows nothing when no seat is kept. */
export function KeptSeats({ match: { kept_seats: kept = [] } }: { readonly match: MatchSnapshot }) {
  if (kept.length === 0) return null
  return (
    <Card title="Kept seats" note={counted(kept.length, 'seat')} flush>
      <ul class="team">
        {kept.map(({ player_id, team, role, kept_by, expires_at }) => (
          <li key={player_id}>
            <Id href={href('players', player_id)}>{player_id}</Id>
            <span class="quiet small">
              <Text>{role === null ? team : `${team}, ${role}`}</Text>
              {kept_by !== null && (
                <>
                  {' by '}
                  <Text>{kept_by}</Text>
                </>
              )}
            </span>
            <span class="quiet small">
              until <Time at={expires_at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
