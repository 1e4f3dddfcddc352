import type { LobbySnapshot } from '@matchyard/client'
import { useProject } from '../../data/hooks'
import { href } from '../../data/route'
import { part } from '../../data/wire'
import { Button, Card, counted, Id, say } from '../../ui'

/** Shows the banned players of a lobby, each with an action that lifts the ban. */
export function Banned({ lobby: { lobby_id, banned = [] } }: { readonly lobby: LobbySnapshot }) {
  const { wire } = useProject()
  const lift = async (id: string) => {
    await wire.delete(`/v1/lobbies/${part(lobby_id)}/bans/${part(id)}`)
    say(`${id.slice(0, 64)} may join again.`)
  }
  if (banned.length === 0) return null
  return (
    <Card title="Banned players" note={counted(banned.length, 'player')} flush>
      <ul class="members">
        {banned.map((id) => (
          <li key={id}>
            <Id href={href('players', id)}>{id}</Id>
            <Button small onClick={() => lift(id)}>
              Lift the ban
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
