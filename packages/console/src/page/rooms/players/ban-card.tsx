import type { Ban } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { Button, Card, Facts, Status, span, Text, Time } from '../../ui'
import { now } from '../../ui/time'
import { BanDialog } from './ban-dialog'
import { Lift } from './lift'

export const whereOf = ({ queues }: Ban): string => (queues === null ? 'Whole project' : queues.join(', '))

/** End of a ban: the time until it, or the time since it. */
export function Until({ at }: { readonly at: string | null }) {
  if (at === null) return <>no end</>
  const seconds = Math.round((Date.parse(at) - now.value) / 1_000)
  return seconds > 0 ? <span title={at}>in {span(seconds)}</span> : <Time at={at} />
}

/** Ban of a player, with the actions that set, change and lift it. */
export function BanCard({
  playerId,
  bans: [ban],
  again,
}: {
  readonly playerId: string
  readonly bans: readonly Ban[]
  readonly again: () => Promise<void>
}) {
  const edits = useSignal(false)
  return (
    <>
      <Card
        title="Ban"
        actions={
          <>
            {ban !== undefined && <Lift playerId={playerId} again={again} />}
            <Button small onClick={() => (edits.value = true)}>
              {ban === undefined ? 'Ban the player' : 'Change'}
            </Button>
          </>
        }
      >
        {ban === undefined ? (
          <p class="quiet">The player is not banned from the project or a queue.</p>
        ) : (
          <Facts of={factsOf(ban)} />
        )}
      </Card>
      {edits.value && (
        <BanDialog
          playerId={playerId}
          of={ban}
          onClose={() => (edits.value = false)}
          onSet={() => {
            edits.value = false
            void again()
          }}
        />
      )}
    </>
  )
}

const factsOf = (ban: Ban) =>
  [
    ['Status', <Status tone="bad">Banned</Status>],
    ['Where', <Text>{whereOf(ban)}</Text>],
    ['Until', <Until at={ban.until} />],
    ['Reason', <Text>{ban.reason ?? '–'}</Text>],
    ['Note', <Text>{ban.note ?? '–'}</Text>],
    ['Since', <Time at={ban.created_at} />],
  ] as const
