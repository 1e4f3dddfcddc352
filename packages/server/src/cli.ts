#!/usr/bin/env node
import { defineCommand, runMain } from 'citty'
import { unknownOption } from './commands/known-options'
import { VERSION } from './service/version'

/** Each command is loaded only when it is called, so that `matchyard --help` responds at once. */
const main = defineCommand({
  meta: { name: 'matchyard', version: VERSION, description: 'The open-source way to run multiplayer matches.' },
  subCommands: {
    simulate: () => import('./commands/simulate').then((module) => module.simulate),
    dev: () => import('./commands/dev').then((module) => module.dev),
    migrate: () => import('./commands/migrate').then((module) => module.migrate),
    doctor: () => import('./commands/doctor').then((module) => module.doctor),
    accounts: () => import('./commands/accounts').then((module) => module.accounts),
    keys: () => import('./commands/keys').then((module) => module.keys),
    builds: () => import('./commands/builds').then((module) => module.builds),
    queues: () => import('./commands/queues').then((module) => module.queues),
    secrets: () => import('./commands/secrets').then((module) => module.secrets),
    ratings: () => import('./commands/ratings').then((module) => module.ratings),
    machines: () => import('./commands/machines').then((module) => module.machines),
    agent: () => import('./commands/agent').then((module) => module.agent),
    env: () => import('./commands/env').then((module) => module.env),
    top: () => import('./commands/top').then((module) => module.top),
    backup: () => import('./commands/backup').then((module) => module.backup),
    secret: () => import('./commands/secret').then((module) => module.secret),
    clock: () => import('./commands/clock').then((module) => module.clock),
    openapi: () => import('./commands/openapi').then((module) => module.openapi),
    serve: () => import('./commands/serve').then((module) => module.serve),
  },
})

async function start(line: readonly string[]): Promise<void> {
  if (line.includes('--version')) return void process.stdout.write(`${VERSION}\n`)
  const isAsking = line.some((word) => word === '--help' || word === '-h') || line[0] === '-v'
  const fault = isAsking ? undefined : await unknownOption(main, line)
  if (fault === undefined) return runMain(main)
  process.stderr.write(`matchyard: ${fault}\n`)
  process.exitCode = 1
}

void start(process.argv.slice(2))
