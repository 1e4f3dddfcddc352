#!/usr/bin/env node
import { defineCommand, runMain } from 'citty'

/** Commands are loaded when they are called, so that `matchyard --help` answers at once. */
const main = defineCommand({
  meta: { name: 'matchyard', description: 'The open-source way to run multiplayer matches.' },
  subCommands: {
    simulate: () => import('./commands/simulate').then((module) => module.simulate),
    dev: () => import('./commands/dev').then((module) => module.dev),
    migrate: () => import('./commands/migrate').then((module) => module.migrate),
    doctor: () => import('./commands/doctor').then((module) => module.doctor),
    keys: () => import('./commands/keys').then((module) => module.keys),
    backup: () => import('./commands/backup').then((module) => module.backup),
    clock: () => import('./commands/clock').then((module) => module.clock),
    openapi: () => import('./commands/openapi').then((module) => module.openapi),
    serve: () => import('./commands/serve').then((module) => module.serve),
  },
})

runMain(main)
