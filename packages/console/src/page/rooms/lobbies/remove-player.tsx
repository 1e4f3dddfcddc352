import type { LobbySnapshot } from '@matchyard/client'
import { useProject } from '../../data/hooks'
import { mayAs } from '../../data/roles'
import { part } from '../../data/wire'
import { ask, Button, say } from '../../ui'

/** Buttons that remove a player from a lobby, and that also ban the player from the lobby. */
export function RemovePlayer({ lobby, playerId }: { readonly lobby: LobbySnapshot; readonly playerId: string }) {
  const { project, wire } = useProject()
  if (!mayAs(project, 'support')) return null
  const path = `/v1/lobbies/${part(lobby.lobby_id)}`
  const shown = playerId.slice(0, 64)
  const ends = lobby.match_id === null ? '' : ' The player also leaves the match.'
  const kick = async () => {
    const sure = await ask({
      title: 'Remove this player?',
      text: `${shown} leaves the lobby and may join it again.${ends}`,
      confirm: 'Remove player',
      danger: true,
    })
    if (!sure) return
    // The host may remove every player of the lobby.
    await wire.delete(`${path}/players/${part(playerId)}`, lobby.host_player_id)
    say(`${shown} was removed from the lobby.`)
  }
  const ban = async () => {
    const sure = await ask({
      title: 'Ban this player from the lobby?',
      text: `${shown} leaves the lobby and cannot join it again. To ban a player from the project or a queue, open the player.${ends}`,
      confirm: 'Ban from the lobby',
      danger: true,
    })
    if (!sure) return
    await wire.post(`${path}/bans`, { player_id: playerId })
    say(`${shown} is banned from the lobby.`)
  }
  return (
    <span class="line">
      <Button small onClick={kick}>
        Remove
      </Button>
      <Button small onClick={ban}>
        Ban
      </Button>
    </span>
  )
}

/** Button that takes a lobby out of its queue. */
export function CancelSearch({
  lobby,
  small = false,
}: {
  readonly lobby: Pick<LobbySnapshot, 'lobby_id' | 'host_player_id' | 'status'>
  readonly small?: boolean
}) {
  const { project, wire } = useProject()
  if (lobby.status !== 'in_queue' || !mayAs(project, 'support')) return null
  const cancel = async () => {
    const sure = await ask({
      title: 'Remove this lobby from the queue?',
      text: 'The search of all its players ends, and they may search again.',
      confirm: 'Remove from the queue',
      danger: true,
    })
    if (!sure) return
    await wire.delete(`/v1/lobbies/${part(lobby.lobby_id)}/queue`, lobby.host_player_id)
    say('The lobby no longer searches.')
  }
  return (
    <Button small={small} onClick={cancel}>
      Remove from the queue
    </Button>
  )
}
