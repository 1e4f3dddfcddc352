import { useSignal } from '@preact/signals'
import { Button } from './button'
import { Input } from './field'

/** Form that finds a player by id. */
export function FindPlayer({
  now = '',
  kind = 'plain',
  onFind,
}: {
  /** Id of the player that is shown now. */
  readonly now?: string
  readonly kind?: 'plain' | 'primary'
  readonly onFind: (id: string) => void
}) {
  const id = useSignal(now)
  return (
    <form
      class="find-player"
      onSubmit={(event) => {
        event.preventDefault()
        onFind(id.value)
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
      <Button kind={kind} icon="search" submit>
        Find
      </Button>
    </form>
  )
}
