import './players.css'
import { useSignal } from '@preact/signals'
import { go } from '../../data/route'
import { Button, Empty, Input, Page } from '../../ui'

/** Asks whom to look for. */
export function Find() {
  return (
    <Page title="Players" tools={<FindForm />}>
      <Empty icon="player" title="Look for a player">
        By the id that your game gives it: where it is now, what it played last, and why it is back in its lobby.
      </Empty>
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
