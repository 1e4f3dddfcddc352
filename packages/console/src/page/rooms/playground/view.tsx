import './playground.css'
import type { Queue } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useTrial } from '../../data/about'
import { useLive, useProject, useRead } from '../../data/hooks'
import { labelOfRole, mayAs } from '../../data/roles'
import { href } from '../../data/route'
import { Button, Card, Check, counted, Empty, Field, LiveView, Page, Select, Status, say } from '../../ui'
import { dropStreams, isSlow } from './chaos'
import { type Game, gameOf, MOST_PLAYERS } from './game'
import { PlayerCard } from './player-card'
import { playersNeeded } from './states'
import { Watch } from './watch'

/** Section with test players, for roles that may play. */
export function View() {
  const { project } = useProject()
  if (mayAs(project, 'developer')) return <Playground />
  return (
    <Page title="Playground">
      <Empty icon="player" title="Your role does not play">
        {`Test players need the role Developer, and yours is ${labelOfRole(project.role)}. An admin of the project can change it.`}
      </Empty>
    </Page>
  )
}

/** Test players. Each of them uses the client package that a game would use. */
function Playground() {
  const project = useProject()
  const queues = useLive('queue')
  const game = gameOf(project)
  const chosen = useSignal<string | undefined>(undefined)
  const all = queues.things.rows.value.map((row) => row.value)
  const queue = all.find(({ queue_id }) => queue_id === chosen.value) ?? bestOf(all)
  return (
    <Page
      title="Playground"
      beside={
        game.testers.value.length > 0 && <Status tone="info">{counted(game.testers.value.length, 'player')}</Status>
      }
    >
      <LiveView
        of={queues}
        as="cards"
        empty={
          <Empty
            icon="queues"
            title="Create a queue first"
            action={
              <Button kind="primary" href={href('queues')}>
                Create a queue
              </Button>
            }
          >
            Players search for matches in a queue.
          </Empty>
        }
      >
        {() =>
          queue !== undefined && <Ground game={game} queue={queue} queues={all} choose={(id) => (chosen.value = id)} />
        }
      </LiveView>
    </Page>
  )
}

/**
 * Returns the best queue for a test: enabled, with matchmaking, without warnings. When no queue fulfils all three
 * conditions, fewer conditions are required.
 */
const bestOf = (queues: readonly Queue[]): Queue | undefined =>
  queues.find(({ enabled, matchmaking, warnings }) => enabled && matchmaking !== undefined && warnings === undefined) ??
  queues.find(({ enabled, matchmaking }) => enabled && matchmaking !== undefined) ??
  queues.find(({ enabled }) => enabled) ??
  queues[0]

interface GroundProps {
  readonly game: Game
  readonly queue: Queue
  readonly queues: readonly Queue[]
  readonly choose: (id: string) => void
}

function Ground({ game, queue, queues, choose }: GroundProps) {
  const testers = game.testers.value
  const needed = playersNeeded(queue)
  const { account, project } = useProject()
  const isTrial = useTrial()
  const proof = useRead(() => account.projects.playerAuth(project.project_id), [account, project])
  const { value } = proof.now
  const isSigned = value.is === 'ready' && value.data.mode === 'signed'
  game.isVouched = isSigned
  return (
    <>
      <Card
        title="Test match"
        note={
          queue.matchmaking === undefined
            ? 'started by the host, without matchmaking'
            : `a match of ${counted(needed, 'player')}`
        }
      >
        <div class="test">
          <Field label="Queue">
            {(named) => (
              <Select
                {...named}
                value={queue.queue_id}
                onChange={choose}
                options={queues.map(({ queue_id, name }) => [queue_id, name] as const)}
              />
            )}
          </Field>
          <div class="line">
            <Button
              kind="primary"
              icon="play"
              disabled={value.is === 'loading' || needed > MOST_PLAYERS}
              onClick={() => game.playTest(queue)}
            >
              Play a test match
            </Button>
            <Button
              icon="plus"
              disabled={value.is === 'loading' || testers.length >= MOST_PLAYERS}
              onClick={() => void game.add()}
            >
              Add a player
            </Button>
            {testers.length > 0 && (
              <Button kind="quiet" onClick={() => game.clear()}>
                Remove all players
              </Button>
            )}
          </div>
        </div>
        {needed > MOST_PLAYERS && (
          <p class="hint">
            A match of this queue needs {needed} players. This page can create at most {MOST_PLAYERS} players.
          </p>
        )}
        {isSigned && (
          <p class="hint">
            This project requires player tokens. The players of this page have no tokens, so the console acts for them
            with its server key. <a href={href('settings', 'players')}>Player identity</a>
          </p>
        )}
      </Card>
      {testers.length === 0 ? (
        <Empty icon="play" title="No players yet">
          Play a test match with one click. Or add players and act for them: create a lobby, share its invite code,
          search for a match, accept the match.
        </Empty>
      ) : (
        <>
          <Watch game={game} isTrial={isTrial} />
          <div class="players">
            {testers.map((tester) => (
              <PlayerCard key={tester.id} tester={tester} queue={queue} remove={() => game.remove(tester)} />
            ))}
          </div>
          {isTrial && <Chaos />}
        </>
      )}
    </>
  )
}

/** Switches for network faults, for test players only. */
function Chaos() {
  return (
    <Card title="Network faults" note="only for the players of this page">
      <div class="line">
        <Button
          icon="bolt"
          onClick={() => say(`${counted(dropStreams(), 'event stream')} closed; the clients reconnect automatically.`)}
        >
          Close all event streams
        </Button>
        <Check checked={isSlow.value} onChange={(checked) => (isSlow.value = checked)}>
          Slow network (1.5 s more per call)
        </Check>
      </div>
    </Card>
  )
}
