import { writeFileSync } from 'node:fs'
import { defineCommand } from 'citty'
import { ConfigurationError } from '../service/storage-url'
import { tellFailure } from '../service/tell-failure'
import { expectedParties } from '../simulate/arrivals'
import { plot } from '../simulate/plot'
import { figuresOf, table } from '../simulate/report'
import { type Outcome, runScenario } from '../simulate/run'
import { readScenario } from '../simulate/scenario'

/** Plays arrivals on the real matchmaking engine with a virtual clock and tells what players would have seen. */
export const simulate = defineCommand({
  meta: { name: 'simulate', description: 'Play synthetic or recorded arrivals on the matchmaking engine.' },
  args: {
    scenario: { type: 'positional', description: 'A scenario as JSON', required: false },
    compare: {
      type: 'boolean',
      description: 'Set the scenarios named side by side: simulate --compare a.json b.json',
      default: false,
    },
    json: { type: 'boolean', description: 'Figures as JSON instead of a table', default: false },
    plot: { type: 'string', description: 'Draw wait and spread over time into this SVG file' },
  },
  run: ({ args }) =>
    tellFailure(async () => {
      const files = args._
      if (files.length === 0) throw new ConfigurationError('name a scenario: matchyard simulate scenario.json')
      if (files.length > 1 && !args.compare)
        throw new ConfigurationError('several scenarios are set side by side with --compare')
      const outcomes: Outcome[] = []
      for (const file of files) outcomes.push(await played(file))
      if (args.plot !== undefined) writeFileSync(args.plot, plot(outcomes))
      const figures = outcomes.map(figuresOf)
      process.stdout.write(
        args.json ? `${JSON.stringify(args.compare ? figures : figures[0], null, 2)}\n` : `${table(outcomes)}\n`,
      )
    }),
})

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
