import { writeFileSync } from 'node:fs'
import { play, replayedArrivals, scenarioOfQueue, spanOf } from '@matchyard/matchmaking/simulation'
import { defineCommand } from 'citty'
import { ConfigurationError } from '../service/storage-url'
import { tellFailure } from '../service/tell-failure'
import { expectedParties, readRecording } from '../simulate/arrivals'
import { plot } from '../simulate/plot'
import { figuresOf, table } from '../simulate/report'
import { type Outcome, runScenario } from '../simulate/run'
import { readRules, readScenario } from '../simulate/scenario'

/**
 * Runs simulated arrivals of players through the real matchmaking engine with a virtual clock, and prints the players'
 * waiting times and matches.
 */
export const simulate = defineCommand({
  meta: { name: 'simulate', description: 'Simulate matchmaking with synthetic or recorded arrivals.' },
  args: {
    scenario: { type: 'positional', description: 'A scenario as JSON', required: false },
    compare: {
      type: 'boolean',
      description: 'Compare scenarios side by side: simulate --compare a.json b.json',
      default: false,
    },
    arrivals: {
      type: 'string',
      description:
        'Play these recorded arrivals of a queue (GET /v1/queues/{queue_id}/arrivals) instead of the scenarios’ own; a file named may then be a queue as GET /v1/queues/{queue_id} tells it',
    },
    json: { type: 'boolean', description: 'Figures as JSON instead of a table', default: false },
    plot: { type: 'string', description: 'Draw wait and spread over time into this SVG file' },
  },
  run: ({ args }) =>
    tellFailure(async () => {
      const files = args._
      if (files.length === 0 && args.arrivals === undefined)
        throw new ConfigurationError('name a scenario: matchyard simulate scenario.json')
      if (files.length > 1 && !args.compare) throw new ConfigurationError('compare several scenarios with --compare')
      const outcomes: Outcome[] = []
      if (args.arrivals !== undefined) outcomes.push(...(await replayed(args.arrivals, files, args.compare)))
      else for (const file of files) outcomes.push(await played(file))
      if (args.plot !== undefined) writeFileSync(args.plot, plot(outcomes))
      const figures = outcomes.map(figuresOf)
      process.stdout.write(
        args.json ? `${JSON.stringify(args.compare ? figures : figures[0], null, 2)}\n` : `${table(outcomes)}\n`,
      )
    }),
})

/**
 * Replays recorded arrivals once with each set of rules. The rules of the recorded queue are the first set if no file
 * of rules is given, or if one file is given for a comparison.
 */
async function replayed(recording: string, files: readonly string[], compare: boolean): Promise<Outcome[]> {
  const { arrivals, queue } = readRecording(recording)
  const tickets = replayedArrivals(arrivals)
  const span = spanOf(tickets)
  const isOwn = queue !== undefined && (files.length === 0 || (compare && files.length === 1))
  if (!isOwn && files.length === 0) {
    throw new ConfigurationError(`name the rules to play: ${recording} holds no queue beside its arrivals`)
  }
  const scenarios = [
    ...(isOwn ? [scenarioOfQueue(queue.queue_id ?? recording, queue, span)] : []),
    ...files.map((file) => readRules(file, span)),
  ]
  const outcomes: Outcome[] = []
  for (const scenario of scenarios) outcomes.push(await play(scenario, tickets))
  return outcomes
}

async function played(file: string): Promise<Outcome> {
  const scenario = readScenario(file)
  const expected = expectedParties(scenario)
  const outcome = await runScenario(scenario, ({ parties, matches, waiting }) => {
    if (!process.stderr.isTTY) return
    const share = expected === undefined ? '' : ` ${Math.floor((100 * parties) / expected)} %`
    process.stderr.write(`\r  ${file}${share}   ${parties} parties   ${matches} matches   ${waiting} waiting   `)
  })
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  return outcome
}
