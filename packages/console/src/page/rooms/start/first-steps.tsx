import './start.css'
import { useSignal } from '@preact/signals'
import { useLive, useProject, useRead } from '../../data/hooks'
import { network } from '../../data/network'
import { href } from '../../data/route'
import { part } from '../../data/wire'
import { Button, Card, Code, Icon, Shape } from '../../ui'

interface Step {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly isDone: boolean
  readonly button: string
  readonly href: string
  readonly line: string
}

interface Key {
  readonly name: string
  readonly revoked_at: string | null
}

/**
 * Card with five steps to a running game. A step is done when the project has the result of the step, for example a
 * queue, even if the user made the queue in another way.
 */
export function FirstSteps() {
  const steps = useSteps() ?? []
  const open = useSignal<string | undefined>(undefined)
  const next = steps.find(({ isDone }) => !isDone)
  const done = steps.filter(({ isDone }) => isDone).length
  const shown = open.value ?? next?.id
  // The card is hidden until the state of all steps is known, and after all steps are done.
  if (next === undefined) return null
  return (
    <Card title="First steps" note={`${done} of ${steps.length} done`} flush>
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.id} class={step.isDone ? 'done' : ''}>
            <button
              type="button"
              class="step"
              aria-expanded={shown === step.id}
              onClick={() => (open.value = shown === step.id ? '' : step.id)}
            >
              {step.isDone ? <Icon name="check" /> : <Shape tone={step === next ? 'info' : 'still'} />}
              <span>{step.title}</span>
              <span class="unseen">{step.isDone ? 'done' : 'to do'}</span>
              <Icon name="down" size={12} />
            </button>
            {shown === step.id && (
              <div class="step-body stack">
                <p class="quiet">{step.text}</p>
                <div class="line">
                  <Button kind={step === next ? 'primary' : 'plain'} href={step.href}>
                    {step.button}
                  </Button>
                </div>
                <Code label="Without the console">{step.line}</Code>
              </div>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** Returns the steps; undefined until all data for them has been read. */
function useSteps(): readonly Step[] | undefined {
  const { session, project } = useProject()
  const path = `/v1/projects/${part(project.project_id)}/keys`
  const keys = useRead(
    () => session.wire.get<{ readonly data: readonly Key[] }>(path, { limit: 100 }),
    [session, path],
    { every: 10_000 },
  )
  const lives = [useLive('build'), useLive('queue'), useLive('match')] as const
  const [builds, queues, matches] = [lives[0].things, lives[1].things, lives[2].things]
  for (const { things } of lives) void things.revision.value
  const { value } = keys.now
  if (value.is !== 'ready' || lives.some(({ reading }) => reading.value.is !== 'ready')) return undefined
  const hasKey = value.data.data.some(({ name, revoked_at }) => revoked_at === null && !name.startsWith('Console'))
  const all = matches.all()
  const players = all.flatMap(({ teams }) => teams.flatMap((team) => team.players))
  const url = network().baseUrl
  // The commands name an existing queue, or otherwise the queue that the third step creates.
  const queue = queues.all()[0]?.queue_id ?? 'duel'
  const json = "-H 'content-type: application/json'"
  return [
    {
      id: 'key',
      title: 'Create a key for your game',
      text: 'A client key ships with your game. A server key stays in your backend.',
      isDone: hasKey,
      button: 'Keys',
      href: href('settings'),
      line: `curl -X POST ${url}${path} -H "authorization: Bearer $SESSION" ${json} -d '{"type":"client","name":"My game"}'`,
    },
    {
      id: 'build',
      title: 'Upload a game server',
      text: 'Upload a ZIP of the server program, or register a container image. Without a build, the matches of a queue run without a server.',
      isDone: builds.all().some(({ status }) => status === 'ready'),
      button: 'Builds',
      href: href('builds'),
      line: `curl -X POST ${url}/v1/builds/upload-url -H "api-key: $MATCHYARD_SERVER_KEY" ${json} -d '{"name":"arena","executable_path":"server"}'`,
    },
    {
      id: 'queue',
      title: 'Create a queue',
      text: 'A queue sets the matchmaking rules, the team sizes and the build.',
      isDone: queues.all().length > 0,
      button: 'Queues',
      href: href('queues'),
      line: `curl -X POST ${url}/v1/queues -H "api-key: $MATCHYARD_SERVER_KEY" ${json} -d '{"queue_id":"duel","name":"Duel","matchmaking":{"teams":2,"players_per_team":1}}'`,
    },
    {
      id: 'match',
      title: 'Play a test match',
      text: 'With one click, test players in this page are matched in your queue and their server is launched.',
      isDone: all.some(({ started_at }) => started_at !== null),
      button: 'Playground',
      href: href('playground'),
      line: `curl -X POST ${url}/v1/lobbies -H "api-key: $MATCHYARD_CLIENT_KEY" -H 'x-player-id: ann' ${json} -d '{"queue_id":"${queue}"}'`,
    },
    {
      id: 'game',
      title: 'Connect your game',
      text: 'With three lines of client code, your game finds matches. This step is done when a player outside the playground is in a match.',
      isDone: players.some(({ player_id }) => !player_id.startsWith('tester-')),
      button: 'Lobbies',
      href: href('lobbies'),
      line: `npm install @matchyard/client

import { createClient } from '@matchyard/client'
const matchyard = createClient({ baseUrl: '${url}', clientKey: 'ck_live_…', player: 'ann' })
const match = await matchyard.play('${queue}')`,
    },
  ]
}
