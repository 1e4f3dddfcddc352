import { defineCommand } from 'citty'
import { print } from '../service/print'
import { tellFailure } from '../service/tell-failure'
import { trialFigures } from '../trial/figures'
import { readTrialQueue } from '../trial/read-queue'
import { trialReport } from '../trial/report'
import { playTrial } from '../trial/run'
import { trialSettings } from '../trial/settings'

const number = (description: string) => ({ type: 'string', description }) as const

const tryRating = defineCommand({
  meta: {
    name: 'try',
    description: 'Play synthetic seasons with a rating, and print how well it predicts and how even its matches are.',
  },
  args: {
    players: number('Number of players with hidden skills (default 2000)'),
    matches: number('Number of matches (default 20000)'),
    'warm-up': number('Matches before the measured ones (default: half of the matches)'),
    model: number('Model of the rating (default plackettLuce)'),
    beta: number('Parameter beta of the model'),
    tau: number('Parameter tau of the model'),
    queue: number('JSON file with a queue of two teams, the body of POST /v1/queues'),
    'team-size': number('Players of a team, without --queue (default 1)'),
    rate: number('Players who enter the queue per second (default: a 200th of the players)'),
    spread: number('Deviation of the true skills, in uncertainties of a new player (default 1)'),
    'season-every': number('Matches after which a new season begins (default: no seasons)'),
    keep: number('Share of a rating that a new season keeps, 0 to 1 (default 0.5)'),
    seed: number('Seed of all random numbers (default 1)'),
    json: { type: 'boolean', description: 'Figures as JSON instead of tables', default: false },
  },
  run: ({ args }) =>
    tellFailure(async () => {
      const settings = trialSettings(args, args.queue === undefined ? undefined : readTrialQueue(args.queue))
      const figures = trialFigures(settings, await playTrial(settings, showProgress(settings.matches)))
      if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
      await print(args.json ? `${JSON.stringify(figures, null, 2)}\n` : `${trialReport(figures)}\n`)
    }),
})

/** Returns a function that shows the number of played matches in a terminal, once in a hundred matches. */
const showProgress = (matches: number) => (played: number) => {
  if (!process.stderr.isTTY || played % 100 !== 0) return
  process.stderr.write(`\r  ${played} of ${matches} matches   `)
}

/** Commands about ratings that need no running service. */
export const ratings = defineCommand({
  meta: { name: 'ratings', description: 'Try a rating with synthetic players before games use it.' },
  subCommands: { try: tryRating },
})
