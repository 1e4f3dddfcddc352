import { useProject } from '../../data/hooks'
import { Button, say } from '../../ui'

/** Button that lifts the ban of a player. */
export function Lift({ playerId, again }: { readonly playerId: string; readonly again: () => Promise<void> }) {
  const { admin } = useProject()
  const lift = async () => {
    await admin.bans.delete(playerId)
    say(`${playerId.slice(0, 64)} may play again.`)
    await again()
  }
  return (
    <Button small onClick={lift}>
      Lift the ban
    </Button>
  )
}
