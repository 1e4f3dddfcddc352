import './players.css'
import { useSignal } from '@preact/signals'
import { go } from '../../data/route'
import { Button, Empty, Input, Page } from '../../ui'
import { Bans } from './bans'

/** Page with a search for a player by id, and the project's bans. */
export function Find() {
  return (
    <Page title="Players" tools={<FindForm />}>
      <Empty icon="player" title="Find a player">
        Search by the player id of your game. The page shows the player's live match, searches, lobbies and recent
        matches, and why each search or match ended.
      </Empty>
      <Bans />
    </Page>
  )
}

export function FindForm({ now = '' }: { readonly now?: string }) {
  const id = useSignal(now)
  return (
    <form
      class="find-player"
      onSubmit={(event) => {
        event.preventDefault()
        if (id.value !== '') go('players', id.value)
      }}
    >
      <Input
        value={id.value}
        onInput={(value) => (id.value = value)}
        placeholder="Player id"
        aria-label="Player id"
        autocomplete="off"
        maxLength={128}
      />
      <Button kind="primary" icon="search" submit>
        Find
      </Button>
    </form>
  )
}
