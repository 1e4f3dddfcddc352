import type { Queue } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { href } from '../../data/route'
import { Button, Clock, Copy, counted, Field, Id, Input, StatusOf, Text, TextArea } from '../../ui'
import type { Tester } from './player'
import { suitingState } from './states'

interface PlayerProps {
  readonly tester: Tester
  readonly queue: Queue
  readonly remove: () => void
}

/** Card of a test player: buttons for its possible actions, and the events that its client received. */
export function PlayerCard({ tester, queue, remove }: PlayerProps) {
  const lobby = tester.lobby.value
  return (
    <section class="card player" aria-label={tester.id}>
      <header>
        <h2 class="mono">{tester.id}</h2>
        {lobby !== undefined && <StatusOf kind="lobby" is={lobby.status} />}
        <div class="line actions">
          <Button kind="quiet" small icon="cross" label={`Remove ${tester.id}`} onClick={remove} />
        </div>
      </header>
      <div class="card-body stack">
        {lobby === undefined ? <Outside tester={tester} queue={queue} /> : <Inside tester={tester} />}
        <Said tester={tester} />
      </div>
    </section>
  )
}

function Outside({ tester, queue }: { readonly tester: Tester; readonly queue: Queue }) {
  const code = useSignal('')
  const state = useSignal(JSON.stringify(suitingState(queue)))
  const wrong = useSignal<string | undefined>(undefined)
  const brought = () => {
    wrong.value = undefined
    try {
      return JSON.parse(state.value || '{}')
    } catch {
      wrong.value = 'The state is not valid JSON.'
      throw new Error(`The state of ${tester.id} is not JSON.`)
    }
  }
  return (
    <>
      <Field label="State" error={wrong.value} hint="The values that the rules of the queue compare.">
        {(named) => (
          <TextArea {...named} mono rows={2} value={state.value} onInput={(value) => (state.value = value)} />
        )}
      </Field>
      <div class="line nowrap">
        <Button onClick={async () => tester.create(queue.queue_id, brought())}>Create a lobby</Button>
        <Input
          value={code.value}
          placeholder="Invite code"
          aria-label={`Invite code for ${tester.id}`}
          onInput={(value) => (code.value = value)}
        />
        <Button disabled={code.value.trim() === ''} onClick={async () => tester.join(code.value.trim(), brought())}>
          Join
        </Button>
      </div>
    </>
  )
}

function Inside({ tester }: { readonly tester: Tester }) {
  const lobby = tester.lobby.value
  if (lobby === undefined) return null
  const proposal = tester.proposal.value
  const isHost = lobby.host_player_id === tester.id
  return (
    <>
      <p class="line">
        <Id href={href('lobbies', lobby.lobby_id)} short>
          {lobby.lobby_id}
        </Id>
        <span class="quiet small">
          {lobby.current_players} of {counted(lobby.max_players, 'player')}
          {isHost && ', host'}
        </span>
        {lobby.invite_code !== null && lobby.status === 'waiting' && (
          <Copy of="invite code" label={lobby.invite_code} text={lobby.invite_code} />
        )}
      </p>
      {proposal === undefined ? (
        <div class="line">
          {lobby.status === 'waiting' && !tester.isSearching.value && (
            <Button kind="primary" small onClick={() => tester.find()}>
              {isHost ? 'Search' : 'Wait for the host'}
            </Button>
          )}
          {lobby.status === 'in_queue' && isHost && (
            <Button small onClick={() => tester.cancel()}>
              Cancel search
            </Button>
          )}
          <Button small kind="quiet" onClick={() => tester.leave()}>
            Leave
          </Button>
        </div>
      ) : (
        <div class="line">
          <Button kind="primary" small onClick={() => tester.answer(true)}>
            Accept
          </Button>
          <Button small onClick={() => tester.answer(false)}>
            Decline
          </Button>
        </div>
      )}
    </>
  )
}

function Said({ tester }: { readonly tester: Tester }) {
  return (
    <ol class="said" aria-label={`Events of ${tester.id}, newest first`}>
      {[...tester.said.value]
        .reverse()
        .slice(0, 6)
        .map(({ key, at, sentence, isBad }) => (
          <li key={key} class={isBad ? 'bad' : ''}>
            <Clock at={at} />
            <Text lines={2}>{sentence}</Text>
          </li>
        ))}
    </ol>
  )
}
