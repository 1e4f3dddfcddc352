// `npm run create -- <folder>`: creates a game with the packages of this clone. It does what `npm create matchyard` does
// for the packages of the registry.
import { build } from '../build.mjs'
import { install } from '../workspace.mjs'

install()
await build({ fast: true, only: '@matchyard/server' })
await import('./game.mjs')
